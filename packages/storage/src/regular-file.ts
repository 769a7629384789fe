import { closeSync, constants, fstatSync, openSync } from "node:fs"
import { open, type FileHandle } from "node:fs/promises"
import { AssayError } from "@assay/schemas/errors"
import { quotePath } from "./file-path.ts"

/**
 * Opens a file that must be a regular file. Opening a pipe waits for its other end, and a few such waits would occupy
 * all threads that read files. `O_NONBLOCK` prevents the wait and has no effect on regular files. The type is checked
 * on the open file, so the file can't be replaced between check and opening.
 * @param flags of `open`; default: read
 * @param mode permissions of a new file; default: those of the process
 * @throws `local_file_failed` for a folder, pipe, socket or device; the system's error
 */
export async function openRegularFile(
  path: string,
  flags: number = constants.O_RDONLY,
  mode?: number,
): Promise<FileHandle> {
  const handle = await open(path, flags | NO_WAIT, mode).catch((error: unknown) => {
    throw isPipeOrSocket(error) ? notRegular(path, error) : error
  })
  // Synchronous, because the system answers from its memory.
  if (isRegular(handle.fd)) return handle
  await handle.close()
  throw notRegular(path)
}

/** Opens a regular file synchronously. The caller must close the descriptor. */
export function openRegularFileSync(path: string, flags: number = constants.O_RDONLY): number {
  const descriptor = openAtOnce(path, flags)
  if (isRegular(descriptor)) return descriptor
  closeSync(descriptor)
  throw notRegular(path)
}

/** Reads the text of a regular file. */
export async function readRegularFile(path: string): Promise<string> {
  await using handle = await openRegularFile(path)
  return await handle.readFile("utf8")
}

/** `O_NOCTTY`: a device must not become the controlling terminal of the process. */
const NO_WAIT = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

function openAtOnce(path: string, flags: number): number {
  try {
    return openSync(path, flags | NO_WAIT)
  } catch (error) {
    throw isPipeOrSocket(error) ? notRegular(path, error) : error
  }
}

function isRegular(descriptor: number): boolean {
  return fstatSync(descriptor).isFile()
}

/** Returns whether the system's error means a pipe without a reader, a socket, or a device without a driver. */
function isPipeOrSocket(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENXIO" || error.code === "ENODEV")
}

function notRegular(path: string, cause?: unknown): AssayError {
  const message = `${quotePath(path)} is not a regular file; a folder, pipe, socket or device can't be used here.`
  return new AssayError("local_file_failed", message, { context: { path }, ...(cause === undefined ? {} : { cause }) })
}
