import { createWriteStream } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createFolder } from "../create-folder.ts"
import { localFailure } from "./local-failure.ts"

export interface WholeFileOptions {
  readonly signal?: AbortSignal | undefined
  /** Reads the complete file, by its temporary name, before it replaces another. False: it is removed, and nothing is replaced. */
  readonly accepts?: ((partial: string) => Promise<boolean>) | undefined
}

/**
 * Writes a file of this machine under a temporary name beside it, and renames it when it is complete. Readers of a file that it replaces keep
 * that one. Missing folders are created.
 * @returns the number of bytes
 * @throws the error of `pieces` or of `accepts`, or the reason of `signal`; for a failure of the system, what `localFailure` returns
 */
export async function writeWholeFile(
  path: string,
  pieces: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  { signal, accepts }: WholeFileOptions = {},
): Promise<number> {
  const partial = `${path}.assay-partial`
  try {
    await createFolder(dirname(path), { durable: false })
    const file = createWriteStream(partial)
    await pipeline(Readable.from(pieces), file, { signal })
    if (accepts === undefined || (await accepts(partial))) await rename(partial, path)
    else await rm(partial, { force: true })
    return file.bytesWritten
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {})
    throw localFailure(error, "write", path)
  }
}
