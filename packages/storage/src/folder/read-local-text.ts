import { open, readFile, stat } from "node:fs/promises"
import { AssayError } from "@assay/schemas/errors"
import { quotePath } from "../file-path.ts"
import { lfsPointerFault, MAX_LFS_POINTER_BYTES, parseLfsPointer } from "../lfs-pointer.ts"
import { localFailure } from "./local-failure.ts"

/**
 * Reads a text of this machine that a user names: a file, or a pipe.
 * @throws `bad_document` for a pointer of git LFS; the error of the file system, with a code
 */
export async function readLocalText(path: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    throw localFailure(error, "read", path)
  }
  if (bytes.length <= MAX_LFS_POINTER_BYTES) refusePointer(path, bytes)
  return bytes.toString("utf8")
}

/** Checks a file that is read as a stream later. @throws `bad_document` for a pointer of git LFS */
export async function checkNoLfsPointer(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true || found.size > MAX_LFS_POINTER_BYTES) return
  await using file = await open(path)
  refusePointer(path, await file.readFile())
}

function refusePointer(path: string, bytes: Uint8Array): void {
  const pointer = parseLfsPointer(bytes)
  if (pointer === undefined) return
  throw new AssayError("bad_document", `The file ${quotePath(path)} ${lfsPointerFault(pointer)}.`, {
    context: { path },
  })
}
