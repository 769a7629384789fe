import { closeSync, constants, fstatSync, openSync } from "node:fs"
import { stat } from "node:fs/promises"
import { Socket } from "node:net"
import { addAbortSignal, type Readable } from "node:stream"
import { buffer, text } from "node:stream/consumers"
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
 * @param signal ends the wait for the writer of a pipe
 * @throws `bad_document` for a pointer of git LFS; `path_conflict` for a folder; `local_file_failed` for a pipe, socket or device; the error of the file
 *   system, with a code
 */
export async function readLocalText(path: string, signal?: AbortSignal): Promise<string> {
  let bytes: Buffer
  try {
    bytes = OPENED_BY_SHELL.test(path) ? await readOpened(path, signal) : await readRegular(path)
  } catch (error) {
    signal?.throwIfAborted()
    throw localFailure(error, "read", path)
  }
  if (bytes.length <= MAX_LFS_POINTER_BYTES) refusePointer(path, bytes)
  return bytes.toString("utf8")
}

/** Reads a stream, such as stdin, to its end. @throws an error if the signal aborts first */
export async function readStreamText(stream: Readable, signal: AbortSignal): Promise<string> {
  return await text(addAbortSignal(signal, stream))
}

/** `O_NOCTTY`: a device must not become the controlling terminal of the process. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/**
 * Reads a pipe as a socket, whose bytes the system announces. A read of a file occupies a thread until the writer ends, and not even the
 * process can end before that.
 */
async function readOpened(path: string, signal: AbortSignal | undefined): Promise<Buffer> {
  const descriptor = openSync(path, AT_ONCE)
  if (!fstatSync(descriptor).isFIFO()) {
    closeSync(descriptor)
    return await readRegular(path)
  }
  const pipe = new Socket({ fd: descriptor, readable: true, writable: false })
  return await buffer(signal === undefined ? pipe : addAbortSignal(signal, pipe))
}

async function readRegular(path: string): Promise<Buffer> {
  try {
    await using file = await openRegularFile(path)
    return await file.readFile()
  } catch (error) {
    if (systemCode(error) !== undefined || !(await isFolder(path))) throw error
    const message = `${quotePath(path)} is a folder, and a file is needed here.`
    throw new AssayError("path_conflict", message, { cause: error, context: { remedy: "Name a file in it." } })
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
