import { closeSync, constants, fstatSync, openSync } from "node:fs"
import { open, type FileHandle } from "node:fs/promises"
import { AssayError } from "@assay/schemas/errors"
import { quotePath } from "./file-path.ts"

/**
 * Opens a file that has to be a regular one. To open a pipe waits for its other end, and a few such waits occupy every
 * thread that reads files; `O_NONBLOCK` waits for nothing, and has no effect on a regular file. What is open is looked at,
 * so nothing can take the place of the file between a look and the opening.
 * @param flags of `open`; default: read
 * @param mode permissions of a file that is made; default: what the process gives
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
  // Without a thread: the system answers from its memory.
  if (isRegular(handle.fd)) return handle
  await handle.close()
  throw notRegular(path)
}

/** The same at once: the descriptor has to be closed. */
export function openRegularFileSync(path: string, flags: number = constants.O_RDONLY): number {
  const descriptor = openAtOnce(path, flags)
  if (isRegular(descriptor)) return descriptor
  closeSync(descriptor)
  throw notRegular(path)
}

/** The text of a regular file. */
export async function readRegularFile(path: string): Promise<string> {
  await using handle = await openRegularFile(path)
  return await handle.readFile("utf8")
}

/** A device must not become the terminal of the process either. */
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

/** What the system says of a pipe without a reader, of a socket and of a device without a driver. */
function isPipeOrSocket(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENXIO" || error.code === "ENODEV")
}

function notRegular(path: string, cause?: unknown): AssayError {
  const message = `${quotePath(path)} is not a regular file; a folder, pipe, socket or device can't be used here.`
  return new AssayError("local_file_failed", message, { context: { path }, ...(cause === undefined ? {} : { cause }) })
}
