import { decodeLz4Frame } from "./lz4-frame.ts"

/** Maximum size of a chunk, uncompressed. */
const MAX_CHUNK_BYTES = 131_072
/** Maximum size of a chunk in a xorb. Clients also pack chunks that become larger by it. */
export const MAX_PACKED_BYTES = 2 * MAX_CHUNK_BYTES
/** Bytes before each chunk of a xorb. */
export const CHUNK_HEADER_BYTES = 8

/** How the bytes of a chunk are stored: as they are, compressed, or regrouped and compressed. */
const STORED = 0
const LZ4 = 1
const GROUPED_LZ4 = 2

export interface ChunkHeader {
  /** Bytes after the header. */
  readonly packed: number
  readonly scheme: number
  /** Bytes of the chunk. */
  readonly size: number
}

/** Parses the header of a chunk. Returns undefined if it is not one, or if the chunk is larger than any chunk may be. */
export function parseChunkHeader(bytes: Uint8Array): ChunkHeader | undefined {
  const packed = threeBytes(bytes, 1)
  const size = threeBytes(bytes, 5)
  const scheme = bytes[4] ?? -1
  if (bytes.length < CHUNK_HEADER_BYTES || bytes[0] !== 0 || scheme > GROUPED_LZ4) return undefined
  if (size === 0 || size > MAX_CHUNK_BYTES || packed > MAX_PACKED_BYTES) return undefined
  return { packed, scheme, size }
}

function threeBytes(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16)
}

/** Returns the header of a chunk that is stored as it is. */
export function storedChunkHeader(size: number): Uint8Array {
  const bytes = [size & 0xff, (size >> 8) & 0xff, size >> 16]
  return Uint8Array.of(0, ...bytes, STORED, ...bytes)
}

/** Memory for one chunk at a time. */
export interface ChunkMemory {
  readonly decoded: Uint8Array
  readonly joined: Uint8Array
}

export function createChunkMemory(): ChunkMemory {
  return { decoded: new Uint8Array(MAX_CHUNK_BYTES), joined: new Uint8Array(MAX_CHUNK_BYTES) }
}

/**
 * Returns the bytes of a chunk; undefined if the packed bytes are not those of exactly `size` bytes. They are in `packed` or in `memory`.
 */
export function unpackChunk(
  { scheme, size }: ChunkHeader,
  packed: Uint8Array,
  { decoded, joined }: ChunkMemory,
): Uint8Array | undefined {
  if (scheme === STORED) return packed.length === size ? packed : undefined
  const out = decoded.subarray(0, size)
  if (!decodeLz4Frame(packed, out)) return undefined
  return scheme === LZ4 ? out : joinGroups(out, joined.subarray(0, size))
}

const GROUPS = 4

/** Undoes the grouping of bytes by their position modulo 4, which comes before the compression of numbers. */
export function joinGroups(bytes: Uint8Array, joined: Uint8Array = new Uint8Array(bytes.length)): Uint8Array {
  let from = 0
  for (let group = 0; group < GROUPS; group++) {
    for (let to = group; to < bytes.length; to += GROUPS) {
      joined[to] = bytes[from] ?? 0
      from += 1
    }
  }
  return joined
}
