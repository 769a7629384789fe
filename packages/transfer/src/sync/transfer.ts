import { isAssayError } from "@assay/schemas/errors"
import { FATAL_CODES } from "./fatal-codes.ts"
import { forEachParallel } from "./for-each-parallel.ts"
import { lookAhead } from "./look-ahead.ts"
import { moveFile } from "./move-file.ts"
import { pairByPath, type FilePair } from "./pair-by-path.ts"
import type { TransferRecorder } from "./transfer-report.ts"
import type { TransferFile, TransferSide } from "./transfer-side.ts"

export type TransferAction = "new" | "changed" | "delete"

/** Told as a transfer runs. */
export interface TransferListener {
  /** A file of the source was found. */
  onFound(file: TransferFile): void
  /** There are no more. */
  onAllFound(): void
  /** Bytes have arrived; negative where they have to travel once more. */
  onBytes(count: number): void
  /** A file needs nothing more. */
  onSettled(file: TransferFile, moved: boolean): void
  /** What is done, or would be in a dry run. */
  onAction(action: TransferAction, path: string): void
}

export interface TransferOptions {
  readonly source: TransferSide
  readonly target: TransferSide
  /** Remove from the target what the source lacks. */
  readonly delete: boolean
  /** Tell what would be done, and do nothing. */
  readonly dryRun: boolean
  /** Files at the same time. */
  readonly parallel: number
  readonly recorder: TransferRecorder
  readonly listener: TransferListener
  /** Waits before repetition number `attempt`, from 0. */
  readonly pause: (attempt: number) => Promise<void>
  readonly signal: AbortSignal
}

const LOOK_AHEAD = 10_000

/**
 * Brings the target to what the source holds: files that are new or differ in size or SHA-256 travel, the others stay.
 * A file that fails is recorded and the rest goes on. What is deleted is deleted last, when everything has arrived.
 * @throws what would keep every file from moving
 */
export async function transfer(options: TransferOptions): Promise<void> {
  const { source, target, listener, recorder } = options
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  const extras: string[] = []
  const blocked: TransferFile[] = []

  async function move(file: TransferFile, isLastTry: boolean): Promise<void> {
    const failure = await moveFile(file, { ...options, signal })
    if (failure === undefined) recorder.moved(file.size)
    // What is in the way may be among the extras.
    else if (failure.code === "path_conflict" && !isLastTry) blocked.push(file)
    else recorder.fail(file.path, failure)
  }

  async function settle({ path, from, to }: FilePair): Promise<void> {
    if (from === undefined) {
      if (options.delete) extras.push(path)
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

  /** Records what goes wrong with one path; whatever else goes wrong stops all. */
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

  const found = lookAhead(pairByPath(source.list(signal), target.list(signal)), LOOK_AHEAD, {
    onItem: ({ from }) => {
      if (from !== undefined) listener.onFound(from)
    },
    onEnd: () => listener.onAllFound(),
  })
  await forEachParallel(found, options.parallel, (pair) => guard(pair.path, settle(pair)))
  const gone = extras.filter((path) => !recorder.isLeftOut(path))
  await forEachParallel(gone, options.parallel, (path) => guard(path, remove(path)))
  await forEachParallel(blocked, options.parallel, (file) => guard(file.path, move(file, true)))
}

async function isUnchanged(from: TransferFile, to: TransferFile, signal: AbortSignal): Promise<boolean> {
  if (from.size !== to.size) return false
  const [wanted, present] = await Promise.all([from.sha256(signal), to.sha256(signal)])
  return wanted !== null && wanted === present
}
