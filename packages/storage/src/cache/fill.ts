import { AssayError } from "@assay/schemas"
import { untilAborted } from "@assay/http"
import { quotePath, type FilePath } from "../file-path.ts"
import type { ReadResult, Storage, StoredFile } from "../storage.ts"
import { createGrowingFile, type GrowingFile } from "./growing-file.ts"
import { appendToSpool, type Spool } from "./spool.ts"

/** A file that is being filled into the cache, and its bytes so far. */
export interface OpenFill {
  readonly file: StoredFile
  readonly growing: GrowingFile
}

/** The one read of a remote file that fills the cache. Other readers of the file follow it. */
export interface Fill {
  /**
   * Undefined if the cache does not accept the file or can't store it.
   * @throws the error of the remote backend
   */
  readonly opened: Promise<OpenFill | undefined>
  /**
   * Whether the file is in the cache now.
   * @throws what prevented it
   */
  readonly done: Promise<boolean>
  /** Returns the error of the remote backend, or undefined if another part failed. */
  remoteFailure(): unknown
}

export interface FillTask {
  readonly remote: Storage
  readonly path: FilePath
  readonly signal: AbortSignal
  /** Decides whether the file is accepted, and makes room for it. */
  readonly admit: (file: StoredFile) => Promise<boolean>
  readonly openSpool: (file: StoredFile) => Promise<Spool>
  /** Moves the complete file to its location, then adds it to the index. */
  readonly keep: (file: StoredFile, spool: Spool, digest: string) => Promise<void>
}

/**
 * Starts to fill the cache. It continues without readers, because the bytes will be needed and most of their cost is
 * already paid.
 */
export function startFill(task: FillTask): Fill {
  const opened = Promise.withResolvers<OpenFill | undefined>()
  let remoteFailure: unknown

  function blameRemote(error: unknown): never {
    if (!task.signal.aborted) remoteFailure = error
    throw error
  }

  async function run(): Promise<boolean> {
    const { path, signal } = task
    const read = await task.remote.read(path, { signal }).catch(blameRemote)
    const spool = await openSpool(task, read)
    if (spool === undefined) return false
    const growing = createGrowingFile(spool)
    const drop = growing.hold()
    try {
      opened.resolve({ file: read.file, growing })
      const digest = await receive(read, spool, growing)
      await task.keep(read.file, spool, digest)
      return true
    } catch (error) {
      growing.fail(error)
      await spool.temporary.discard()
      throw error
    } finally {
      await drop?.()
    }
  }

  /** Receives exactly the bytes of the file. */
  async function receive(read: ReadResult, spool: Spool, growing: GrowingFile): Promise<string> {
    const { file } = read
    const source = { ...read, bytes: watched(untilAborted(read.bytes, task.signal)) }
    const { size, sha256 } = await appendToSpool(source, spool, (written) => {
      // Hold the last bytes back until the length is verified, so that no reader takes wrong bytes for a complete file.
      if (written < file.size) growing.grow(written)
    })
    if (size !== file.size) blameRemote(wrongLength(file, size))
    growing.grow(size)
    return sha256
  }

  /** Passes the pieces on, and attributes their error to the remote backend. */
  async function* watched(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes
    } catch (error) {
      blameRemote(error)
    }
  }

  const done = run()
  done.then(
    () => opened.resolve(undefined),
    (error: unknown) => (remoteFailure === undefined ? opened.resolve(undefined) : opened.reject(error)),
  )
  opened.promise.catch(() => {})
  done.catch(() => {})
  return { opened: opened.promise, done, remoteFailure: () => remoteFailure }
}

/** Opens a spool. Returns undefined if the cache does not accept the file, of which nothing is read then. */
async function openSpool(task: FillTask, { file, bytes }: ReadResult): Promise<Spool | undefined> {
  let spool: Spool | undefined
  try {
    if (await task.admit(file)) spool = await task.openSpool(file)
    return spool
  } finally {
    if (spool === undefined) await bytes[Symbol.asyncIterator]().return?.()
  }
}

function wrongLength({ path, size }: StoredFile, received: number): AssayError {
  const message = `Could not read ${quotePath(path)}: ${received} bytes came instead of ${size}; read it again.`
  return new AssayError("upstream_failed", message, { context: { path } })
}
