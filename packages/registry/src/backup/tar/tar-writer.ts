import { BLOCK, formatTarHeader, paddingOf, type TarEntry } from "./tar-header.ts"

export interface TarWriter {
  /** Adds a file; its bytes must be as many as `size` says. @throws where they are not */
  add(entry: TarEntry, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>
  /** Writes the end, without which an archive is cut short. */
  end(): Promise<void>
}

/** Writes a tar archive piece by piece through `write`, which is waited for. */
export function createTarWriter(write: (bytes: Uint8Array) => Promise<void>): TarWriter {
  return {
    async add(entry, bytes) {
      await write(formatTarHeader(entry))
      let written = 0
      for await (const piece of bytes) {
        written += piece.byteLength
        if (written > entry.size) break
        await write(piece)
      }
      if (written !== entry.size) throw new Error(`'${entry.path}' changed its size while it was read.`)
      const padding = paddingOf(entry.size)
      if (padding > 0) await write(new Uint8Array(padding))
    },
    end: () => write(new Uint8Array(2 * BLOCK)),
  }
}
