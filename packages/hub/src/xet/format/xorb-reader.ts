import { AssayError } from "@assay/schemas"
import {
  CHUNK_HEADER_BYTES,
  createChunkMemory,
  MAX_PACKED_BYTES,
  parseChunkHeader,
  unpackChunk,
  type ChunkHeader,
} from "./unpack-chunk.ts"

/** Maximum number of chunks in a xorb. */
const MAX_XORB_CHUNKS = 8192
/** Maximum size of a xorb as it is sent: 64 MiB of chunks, and what older clients append to them. */
export const MAX_XORB_BYTES = 66 * 1024 * 1024
const MAX_FOOTER_BYTES = 1024 * 1024

/** The beginning of what some clients append to the chunks of a xorb. It repeats what is known from the chunks. */
const FOOTER = Buffer.from("XETBLOB")

/** Receives a chunk, and the bytes that it has in the xorb together with its header. The memory of the chunk is used again after the call. */
export type OnChunk = (bytes: Uint8Array, packed: number) => void

/** Reads a xorb, or some of its chunks, piece by piece. Keeps at most one chunk. */
export interface XorbReader {
  /** @throws `bad_upload` */
  push(piece: Uint8Array): void
  /** Checks that the last chunk is whole. @throws `bad_upload` */
  end(): void
}

export function createXorbReader(onChunk: OnChunk): XorbReader {
  const waiting = createWaitingBytes()
  const memory = createChunkMemory()
  let count = 0
  let footer: number | undefined
  /** Reads the chunks that are whole, and returns how many bytes they have. */
  function readChunks(bytes: Uint8Array): number {
    let start = 0
    for (;;) {
      const header = headerAt(bytes, start, count)
      if (header === "footer") {
        footer = bytes.length - start
        return bytes.length
      }
      if (header === undefined) return start
      const from = start + CHUNK_HEADER_BYTES
      const end = from + header.packed
      if (end > bytes.length) return start
      const unpacked = unpackChunk(header, bytes.subarray(from, end), memory)
      if (unpacked === undefined)
        throw broken(`Chunk ${count} does not unpack to the ${header.size} bytes that it announces.`)
      count += 1
      if (count > MAX_XORB_CHUNKS) throw broken(`It has more than ${MAX_XORB_CHUNKS} chunks.`)
      onChunk(unpacked, end - start)
      start = end
    }
  }
  return {
    push(piece) {
      for (let rest = piece; rest.length > 0;) {
        if (footer !== undefined) {
          footer += rest.length
          if (footer > MAX_FOOTER_BYTES) throw broken(`More than ${MAX_FOOTER_BYTES} bytes follow its chunks.`)
          return
        }
        if (waiting.length === 0) {
          waiting.add(rest.subarray(readChunks(rest)))
          return
        }
        // The chunk that began in an earlier piece, alone.
        rest = rest.subarray(waiting.add(rest, neededBytes(waiting.bytes())))
        waiting.drop(readChunks(waiting.bytes()))
      }
    },
    end() {
      if (waiting.length > 0) throw broken(`Chunk ${count} is not whole.`)
    },
  }
}

/** The memory of a chunk that is not whole, which is used for one after the other: a new one for each makes most of the work of an upload. */
interface WaitingBytes {
  readonly length: number
  bytes(): Uint8Array
  /** Adds bytes until there are `limit` of them. Returns how many it took. */
  add(bytes: Uint8Array, limit?: number): number
  /** Forgets the first bytes. */
  drop(count: number): void
}

function createWaitingBytes(): WaitingBytes {
  const memory = new Uint8Array(CHUNK_HEADER_BYTES + MAX_PACKED_BYTES)
  let length = 0
  return {
    get length() {
      return length
    },
    bytes: () => memory.subarray(0, length),
    add(bytes, limit = memory.length) {
      const taken = Math.min(bytes.length, limit - length)
      memory.set(bytes.subarray(0, taken), length)
      length += taken
      return taken
    },
    drop(count) {
      memory.copyWithin(0, count, length)
      length -= count
    },
  }
}

/** Returns the size of a chunk with its header, or that of the header if it is not whole. */
function neededBytes(bytes: Uint8Array): number {
  const header = bytes.length < CHUNK_HEADER_BYTES ? undefined : parseChunkHeader(bytes)
  return CHUNK_HEADER_BYTES + (header?.packed ?? 0)
}

/** Returns the header at a position, `footer` if the chunks end there, and undefined if more bytes are needed. */
function headerAt(bytes: Uint8Array, start: number, count: number): ChunkHeader | "footer" | undefined {
  if (bytes.length < start + CHUNK_HEADER_BYTES) return undefined
  const raw = bytes.subarray(start, start + CHUNK_HEADER_BYTES)
  if (FOOTER.equals(raw.subarray(0, FOOTER.length))) return "footer"
  const header = parseChunkHeader(raw)
  if (header === undefined) throw broken(`The header of chunk ${count} is not one of Xet, or its sizes are too large.`)
  return header
}

function broken(why: string): AssayError {
  return new AssayError("bad_upload", `The xorb can't be read, so nothing was kept. ${why}`)
}
