import { constants } from "node:fs"
import { open } from "node:fs/promises"
import type { LocalContext } from "../local/context.ts"
import { createTemporaryFile, type TemporaryFile } from "../local/writing/temporary-file.ts"
import { writePieces } from "../local/writing/write-pieces.ts"

/** A file that is written at its end and read anywhere before it, without a name that anybody else would look for. */
export interface Spool {
  readonly temporary: TemporaryFile
  append(pieces: readonly Uint8Array[]): Promise<void>
  /** Fills `into` with the bytes from `start` on, all of which were appended before. */
  read(start: number, into: Uint8Array): Promise<void>
  /** Ends reading. Whether the file stays is for others to say. */
  close(): Promise<void>
}

export type SpoolContext = Pick<LocalContext, "root" | "newId" | "durable">

/** Makes an empty spool in `folder` below the root. */
export async function openSpool(context: SpoolContext, folder: string): Promise<Spool> {
  const temporary = await createTemporaryFile(context, folder)
  try {
    const reading = await open(temporary.folder.at(temporary.name), constants.O_RDONLY | constants.O_NOFOLLOW)
    return {
      temporary,
      append: (pieces) => writePieces(temporary.handle, pieces),
      async read(start, into) {
        for (let filled = 0; filled < into.byteLength;) {
          const { bytesRead } = await reading.read(into, filled, into.byteLength - filled, start + filled)
          if (bytesRead === 0) throw new RangeError("The spool is shorter than what was appended to it.")
          filled += bytesRead
        }
      },
      close: () => reading.close(),
    }
  } catch (error) {
    await temporary.discard()
    throw error
  }
}
