import { constants } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { AssayError } from "@assay/schemas"
import { createFolder, localFailure, openRegularFile, syncFolder } from "@assay/storage"

/** A file of rows, and a text that is another one after the file has changed. */
export interface VersionedRows {
  readonly version: string
  open(): AsyncIterable<Uint8Array>
}

const COPY = "rows.jsonl"
/** Has the version of the copy. It is written last, when the disk has the copy: a copy without it is incomplete. */
const VERSION = "version.json"

/** Returns the path of the copy in a folder. */
export function copiedRows(folder: string): string {
  return join(folder, COPY)
}

/**
 * Copies a file of rows into a folder, unless the folder has this version already. The index of the rows can be in the same folder:
 * `removeFolder` removes both before another version is copied.
 * @throws `rows_invalid` for a line that is too long, `disk_full`, and the errors of `rows`
 */
export async function copyRows(rows: VersionedRows, folder: string, removeFolder: () => Promise<void>): Promise<void> {
  const versionFile = join(folder, VERSION)
  if ((await readFile(versionFile, "utf8").catch(() => undefined)) === rows.version) return
  await removeFolder()
  const path = copiedRows(folder)
  try {
    await createFolder(folder, { mode: 0o700 })
    const file = await openRegularFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600)
    try {
      // Waits for each piece to be written, since the reader uses its memory again.
      await writeFile(file, checkedLines(rows.open()))
      await file.sync()
    } finally {
      await file.close()
    }
    // A power failure must not keep the version and lose the rows.
    await syncFolder(folder)
    await writeFile(versionFile, rows.version, { mode: 0o600 })
  } catch (error) {
    await removeFolder()
    throw localFailure(error, "write", path)
  }
}

/** A longer line would take as much memory. Users with the role editor can change the file. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
const NEWLINE = 10

async function* checkedLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0
  for await (const piece of pieces) {
    const first = piece.indexOf(NEWLINE)
    if (length + (first === -1 ? piece.length : first) > MAX_LINE_BYTES) {
      const message = `results/rows.jsonl has a line of more than ${MAX_LINE_BYTES} bytes, which is not a row of a job.`
      throw new AssayError("rows_invalid", message, { context: { max_bytes: MAX_LINE_BYTES } })
    }
    length = first === -1 ? length + piece.length : piece.length - piece.lastIndexOf(NEWLINE) - 1
    yield piece
  }
}
