import { isAssayError, type AssayError, type ErrorCode } from "@assay/schemas/errors"
import { forEachParallel } from "@assay/storage"
import type { TransferFile, TransferSide } from "../sides/transfer-side.ts"
import { lookAhead } from "./look-ahead.ts"
import { createPathList } from "./path-list.ts"
import { pairByPath, type FilePair } from "./pair-by-path.ts"
import type { TransferRecorder } from "./transfer-report.ts"

export type TransferAction = "new" | "changed" | "delete"

/** Receives the events of a running transfer. */
export interface TransferListener {
  /** A file of the source was listed. */
  onFound(file: TransferFile): void
  /** All files of the source were listed. */
  onAllFound(): void
  /** Bytes have arrived. Negative if they have to be moved again. */
  onBytes(count: number): void
  /** A file is done: moved, unchanged or failed. */
  onSettled(file: TransferFile, moved: boolean): void
  /** An action starts, or would start if this were not a dry run. */
  onAction(action: TransferAction, path: string): void
}

interface TransferOptions {
  readonly source: TransferSide
  readonly target: TransferSide
  /** Delete files of the target that the source does not have. */
  readonly delete: boolean
  /** Report what would be done, and change nothing. */
  readonly dryRun: boolean
  /** Maximum number of files that are moved at the same time. */
  readonly parallel: number
  readonly recorder: TransferRecorder
  readonly listener: TransferListener
  /** Waits before retry number `attempt`, counted from 0. */
  readonly pause: (attempt: number) => Promise<void>
  readonly signal: AbortSignal
}

const MAX_LOOK_AHEAD = 10_000

/**
 * Updates the target from the source: files that are new or differ in size or SHA-256 are moved, the others stay. If one
 * file fails, the failure is recorded and the other files are still moved. Files are deleted last, and only if all others have
 * arrived.
 * @throws an error that every file would meet
 */
export async function transfer(options: TransferOptions): Promise<void> {
  const { source, target, listener, recorder } = options
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  const extras = createPathList()
  const blocked: TransferFile[] = []

  async function move(file: TransferFile, isLastTry: boolean): Promise<void> {
    const failure = await moveFile(file, { ...options, signal })
    if (failure === undefined) recorder.moved(file.size)
    // The file that is in the way may be deleted later: try again after the deletions.
    else if (failure.code === "path_conflict" && !isLastTry) blocked.push(file)
    else recorder.fail(file.path, failure)
  }

  async function settle({ path, from, to }: FilePair): Promise<void> {
    if (from === undefined) {
      if (options.delete) await extras.add(path)
      return
    }
    const moves = to === undefined || !(await isUnchanged(from, to, signal))
    if (!moves) recorder.unchanged()
    else {
      if (options.dryRun) await target.tryWrite(from, signal)
      listener.onAction(to === undefined ? "new" : "changed", path)
      if (options.dryRun) recorder.moved(from.size)
      else await move(from, !options.delete)
    }
    listener.onSettled(from, moves)
  }

  async function remove(path: string): Promise<void> {
    listener.onAction("delete", path)
    if (options.dryRun || (await target.remove(path, signal))) recorder.deleted()
  }

  /** Records a failure of one path. Any other failure stops the transfer. */
  async function guard(path: string, work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (!isAssayError(error) || FATAL_CODES.has(error.code) || error.code === "server_unreachable") {
        stop.abort(error)
        throw error
      }
      recorder.fail(path, error)
    }
  }

  const found = lookAhead(pairByPath(source.list(signal), target.list(signal)), MAX_LOOK_AHEAD, {
    onItem: ({ from }) => {
      if (from !== undefined) listener.onFound(from)
    },
    onEnd: () => listener.onAllFound(),
  })
  await forEachParallel(found, options.parallel, (pair) => guard(pair.path, settle(pair)))
  // A file that could not be moved can have another name in the target, so nothing of the target is deleted then.
  const isComplete = recorder.report.failed_count === 0
  await forEachParallel(extras.all(), options.parallel, async (path) => {
    if (recorder.isLeftOut(path)) return
    if (isComplete) await guard(path, remove(path))
    else recorder.notDeleted()
  })
  await forEachParallel(blocked, options.parallel, (file) => guard(file.path, move(file, true)))
}

async function isUnchanged(from: TransferFile, to: TransferFile, signal: AbortSignal): Promise<boolean> {
  if (from.size !== to.size) return false
  const [wanted, present] = await Promise.all([from.sha256(signal), to.sha256(signal)])
  return wanted !== null && wanted === present
}

/** Errors that every other file would meet too. They end the transfer. */
const FATAL_CODES: ReadonlySet<ErrorCode> = new Set([
  "unauthorized",
  "forbidden",
  "disk_full",
  "method_not_allowed",
  "unsupported",
])

const MAX_RETRIES = 4

/** Errors that mean that the file has another version now. The next attempt moves that version. */
const CHANGED = new Set<ErrorCode>(["storage_changed", "checksum_mismatch", "range_not_satisfiable"])

/**
 * Moves one file, with retries where they can help. Returns the error if the file could not be moved.
 * @throws an error that every other file would meet too
 */
async function moveFile(first: TransferFile, options: TransferOptions): Promise<AssayError | undefined> {
  const { source, target, listener, pause, signal } = options
  let file = first
  for (let attempt = 0; ; attempt += 1) {
    let reported = 0
    try {
      await target.write(
        file,
        (count) => {
          reported += count
          listener.onBytes(count)
        },
        signal,
      )
      return undefined
    } catch (error) {
      signal.throwIfAborted()
      listener.onBytes(-reported)
      if (!isAssayError(error) || FATAL_CODES.has(error.code)) throw error
      if (attempt === MAX_RETRIES || (error.retry === "never" && !CHANGED.has(error.code)))
        return giveUp(error, options)
      await pause(attempt)
      if (!CHANGED.has(error.code)) continue
      try {
        file = await source.find(file.path, signal)
      } catch (missing) {
        if (isAssayError(missing)) return giveUp(missing, options)
        throw missing
      }
    }
  }
}

/** Ends the transfer if the server can no longer be reached, so that not every file fails on its own. */
async function giveUp(failure: AssayError, { source, target, signal }: TransferOptions): Promise<AssayError> {
  if (failure.code === "server_unreachable") await Promise.all([source.check(signal), target.check(signal)])
  return failure
}
