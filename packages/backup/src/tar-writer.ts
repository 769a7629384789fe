import { BLOCK, type TarEntry, formatTarHeader, paddingOf } from "./tar.ts"

export interface TarWriter {
  /** Adds a file. @throws if it has more or fewer bytes than `size` */
  add(entry: TarEntry, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>
  /** Writes the end of the archive. */
  end(): Promise<void>
}

/** Writes a tar archive piece by piece, and waits for each call of `write`. */
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
