import { readFile, stat } from "node:fs/promises"
import { AssayError } from "@assay/schemas/errors"
import { quotePath } from "../file-path.ts"
import { systemCode } from "../local/errors.ts"
import { lfsPointerFault, MAX_LFS_POINTER_BYTES, parseLfsPointer } from "../lfs-pointer.ts"
import { openRegularFile } from "../regular-file.ts"
import { localFailure } from "./local-failure.ts"

/** Pipes that a shell has opened, such as `<(command)` in Bash: somebody writes to them. */
const OPENED_BY_SHELL = /^\/(?:dev|proc)\//

/**
 * Reads a text of this machine that a user names: a regular file, or a pipe that the shell has opened. Any other pipe may have no writer, and reading it
 * would wait forever.
 * @throws `bad_document` for a pointer of git LFS; `path_conflict` for a folder; `local_file_failed` for a pipe, socket or device; the error of the file
 *   system, with a code
 */
export async function readLocalText(path: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = OPENED_BY_SHELL.test(path) ? await readFile(path) : await readRegular(path)
  } catch (error) {
    throw localFailure(error, "read", path)
  }
  if (bytes.length <= MAX_LFS_POINTER_BYTES) refusePointer(path, bytes)
  return bytes.toString("utf8")
}

async function readRegular(path: string): Promise<Buffer> {
  try {
    await using file = await openRegularFile(path)
    return await file.readFile()
  } catch (error) {
    if (systemCode(error) !== undefined || !(await isFolder(path))) throw error
    throw new AssayError("path_conflict", `${quotePath(path)} is a folder, and a file is needed here.`, {
      cause: error,
    })
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

/** Checks a file that is read as a stream later. @throws `bad_document` for a pointer of git LFS */
export async function checkNoLfsPointer(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true || found.size > MAX_LFS_POINTER_BYTES) return
  await using file = await openRegularFile(path)
  refusePointer(path, await file.readFile())
}

function refusePointer(path: string, bytes: Uint8Array): void {
  const pointer = parseLfsPointer(bytes)
  if (pointer === undefined) return
  throw new AssayError("bad_document", `The file ${quotePath(path)} ${lfsPointerFault(pointer)}.`, {
    context: { path },
  })
}
