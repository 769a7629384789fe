import type { Storage } from "@assay/storage"

/** Returns a storage that reports the number of bytes as they are read. */
export function countReads(storage: Storage, onBytes: (count: number) => void): Storage {
  async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of bytes) {
      // Count first: the reader may transfer the memory of the piece.
      onBytes(piece.length)
      yield piece
    }
  }
  return {
    ...storage,
    async read(path, options) {
      const result = await storage.read(path, options)
      return { ...result, bytes: counted(result.bytes) }
    },
  }
}
