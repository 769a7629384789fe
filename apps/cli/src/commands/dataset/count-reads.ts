import type { Storage } from "@assay/storage"

/** `storage`, which tells of bytes as they are read from it. */
export function countReads(storage: Storage, onBytes: (count: number) => void): Storage {
  async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of bytes) {
      // Before it is given away: whoever uses it may hand its memory back.
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
