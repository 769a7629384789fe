import { HASH_BYTES } from "./xet-hash.ts"

/** A chunk of a xorb. */
export interface ListedChunk {
  readonly hash: Uint8Array
  /** Bytes of the chunk. */
  readonly size: number
  /** Bytes that it has in the xorb, with its header. */
  readonly packed: number
}

const ENTRY_BYTES = HASH_BYTES + 8

/** Returns the bytes that store the list of the chunks of a xorb. */
export function packChunkList(chunks: readonly ListedChunk[]): Uint8Array {
  const bytes = Buffer.alloc(chunks.length * ENTRY_BYTES)
  for (const [index, { hash, size, packed }] of chunks.entries()) {
    const at = index * ENTRY_BYTES
    bytes.set(hash, at)
    bytes.writeUInt32LE(size, at + HASH_BYTES)
    bytes.writeUInt32LE(packed, at + HASH_BYTES + 4)
  }
  return bytes
}

/** Returns the bytes of some chunks of a list, without parsing the others. */
export function sizeOfChunks(bytes: Uint8Array, first: number, end: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let size = 0
  for (let index = first; index < end; index++) size += view.getUint32(index * ENTRY_BYTES + HASH_BYTES, true)
  return size
}

/** Returns the chunks of a list. Their hashes share the memory of `bytes`. */
export function parseChunkList(bytes: Uint8Array): readonly ListedChunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: Math.floor(bytes.length / ENTRY_BYTES) }, (_, index) => {
    const at = index * ENTRY_BYTES
    return {
      hash: bytes.subarray(at, at + HASH_BYTES),
      size: view.getUint32(at + HASH_BYTES, true),
      packed: view.getUint32(at + HASH_BYTES + 4, true),
    }
  })
}
