import { constants } from "node:fs"
import { type FileHandle, open, realpath } from "node:fs/promises"
import { dirname, join } from "node:path"
import { AssayError } from "@assay/schemas"

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants

interface ReadOptions {
  readonly maxBytes: number
  /** The task of the command, for messages. */
  readonly advice: string
}

/**
 * Reads a file that a command wrote below its folder. Reads only a regular file, and follows no link on the way to it.
 * @throws `harness_failed` if it is missing, not a regular file or too large
 */
export async function readFileBelow(folder: string, path: string, { maxBytes, advice }: ReadOptions): Promise<string> {
  try {
    const parent = dirname(join(folder, path))
    const isLinked = (await realpath(parent)) !== join(await realpath(folder), dirname(path))
    if (isLinked) throw notRegular(path, "is behind a link")
    // Without O_NONBLOCK, opening a named pipe waits until somebody writes to it.
    await using file = await open(join(folder, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const stats = await file.stat()
    if (!stats.isFile()) throw notRegular(path, "is a folder, a device or a pipe")
    if (stats.nlink > 1) throw notRegular(path, "has another name too (a hard link)")
    return await readBounded(file, path, maxBytes)
  } catch (cause) {
    if (cause instanceof AssayError) throw cause
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined
    if (code === "ENOENT") throw failed(`The command succeeded but wrote no '${path}'; ${advice}`)
    if (code === "ELOOP") throw notRegular(path, "is a link")
    if (code === "ENXIO") throw notRegular(path, "is a socket")
    throw failed(`'${path}' can't be read (${String(cause)})`, cause)
  }
}

/** Reads at most `maxBytes`, even if the file grows while it is read. */
async function readBounded(file: FileHandle, path: string, maxBytes: number): Promise<string> {
  const bytes = Buffer.alloc(maxBytes + 1)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length)
    if (bytesRead === 0) return bytes.toString("utf8", 0, length)
    length += bytesRead
  }
  throw failed(`'${path}' has more than ${maxBytes} bytes; have the command write less`)
}

function notRegular(path: string, what: string): AssayError {
  return failed(`'${path}' ${what}; have the command write a file there`)
}

function failed(what: string, cause?: unknown): AssayError {
  return new AssayError("harness_failed", `${what}.`, cause === undefined ? {} : { cause })
}
