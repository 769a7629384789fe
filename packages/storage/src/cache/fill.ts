import { AssayError } from "@assay/schemas"
import { untilAborted } from "@assay/http"
import type { FilePath } from "../file-path.ts"
import { quotePath } from "../quote-path.ts"
import type { ReadResult, Storage, StoredFile } from "../storage.ts"
import { createGrowingFile, type GrowingFile } from "./growing-file.ts"
import { pourIntoSpool } from "./pour-into-spool.ts"
import type { Spool } from "./spool.ts"

/** A file that is on its way into the cache, and what is here of it. */
export interface OpenFill {
  readonly file: StoredFile
  readonly growing: GrowingFile
}

/** The one reading of a remote file that fills the cache; everybody who asks meanwhile reads along. */
export interface Fill {
  /** Undefined where the cache does not take the file, and where it can't. @throws the remote side's error */
  readonly opened: Promise<OpenFill | undefined>
  /** Whether the file is in the cache now. @throws what has kept it out */
  readonly done: Promise<boolean>
  /** What the remote side failed with; undefined where the fault is none of its. */
  remoteFailure(): unknown
}

export interface FillTask {
  readonly remote: Storage
  readonly path: FilePath
  readonly signal: AbortSignal
  /** Whether the file may come in; makes room for it. */
  readonly admit: (file: StoredFile) => Promise<boolean>
  readonly openSpool: (file: StoredFile) => Promise<Spool>
  /** Puts the whole file into its place, and then into the index. */
  readonly keep: (file: StoredFile, spool: Spool, digest: string) => Promise<void>
}

/** Begins to fill. It goes on to its end without readers too: the bytes are worth more than they cost now. */
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

  /** The bytes, all of them and no others. */
  async function receive(read: ReadResult, spool: Spool, growing: GrowingFile): Promise<string> {
    const { file } = read
    const source = { ...read, bytes: watched(untilAborted(read.bytes, task.signal)) }
    const { size, sha256 } = await pourIntoSpool(source, spool, (written) => {
      // The end is held back until it is known to be right: nobody takes wrong bytes for a whole file.
      if (written < file.size) growing.grow(written)
    })
    if (size !== file.size) blameRemote(wrongLength(file, size))
    growing.grow(size)
    return sha256
  }

  /** The same pieces; that they end in an error is the remote side's doing. */
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

/** Undefined where the cache does not take the file: then nothing of it is read. */
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
