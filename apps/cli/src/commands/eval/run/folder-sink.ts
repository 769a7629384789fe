import { createWriteStream } from "node:fs"
import { mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { localFailure } from "@assay/storage/paths"

/** Writes the files of results below a folder. */
export function createFolderSink(folder: string): {
  readonly write: (path: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>
} {
  return {
    write: async (path, bytes) => {
      const file = join(folder, path)
      try {
        await mkdir(dirname(file), { recursive: true })
        await pipeline(Readable.from(bytes), createWriteStream(file))
      } catch (error) {
        throw localFailure(error, "write", file)
      }
    },
  }
}
