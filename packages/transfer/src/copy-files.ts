import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { openSides } from "./locations/open-sides.ts"
import type { OpenOptions, TransferLocation } from "./locations/transfer-location.ts"
import { selectFiles } from "./sides/side-views.ts"
import { openTransferCache } from "./sides/transfer-cache.ts"
import type { TransferSide } from "./sides/transfer-side.ts"
import {
  createTransferRecorder,
  type TransferRecorder,
  type TransferReport,
  type TroubleListener,
} from "./sync/transfer-report.ts"
import { transfer, type TransferListener } from "./sync/transfer.ts"

/** Decides which files take part in a copy. */
export interface FileSelection {
  readonly isSelected: (path: string) => boolean
  /** The selection as the user wrote it. If it is given, a copy that finds no file fails. */
  readonly name?: string | undefined
}

/** Receives the events of a copy. */
export interface CopyListener extends TransferListener, Pick<OpenOptions, "onCreated"> {
  /** Both sides are open, and no file has been moved yet. */
  readonly onOpened: (source: TransferSide, target: TransferSide) => void
  readonly onTrouble: TroubleListener
}

export interface CopyOptions extends Pick<OpenOptions, "client" | "dryRun" | "purpose" | "checkRowsOf" | "signal"> {
  readonly from: TransferLocation
  readonly to: TransferLocation
  /** Delete files of the target that the source does not have. */
  readonly delete: boolean
  /** Maximum number of files that are moved at the same time. */
  readonly parallel: number
  /** Default: all files. */
  readonly selection?: FileSelection | undefined
  readonly listener: CopyListener
  /** Folder for digests and unfinished uploads, which later runs use. It can be deleted at any time. */
  readonly cacheFolder: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** A number from 0 up to 1. */
  readonly random: () => number
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** The outcome of a copy. */
export interface CopyResult {
  /** Both sides as the user writes them. */
  readonly source: string
  readonly target: string
  readonly report: TransferReport
}

const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 10_000

/**
 * Copies files between folders of this machine and filesets. Moves only files that are new or differ in size or SHA-256. If one
 * file fails, the report says so and the other files are still copied.
 * @throws `not_found` if the source does not exist or a named selection matches no file, `bad_usage` if one of two folders
 * contains the other, `server_unreachable`, or an error that every file would meet, such as `forbidden`
 */
export async function copyFiles(options: CopyOptions): Promise<CopyResult> {
  const { dryRun, listener, now, random, signal, sleep } = options
  const { isSelected, name: selectionName } = options.selection ?? { isSelected: () => true }
  const recorder = ignoreUnselected(createTransferRecorder(listener.onTrouble), isSelected)
  const cache = openTransferCache(options.cacheFolder, now)
  const pause = (attempt: number): Promise<void> =>
    sleep(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + random() / 2), signal)
  try {
    const { onCreated } = listener
    const opening = { ...options, cache, pause, onSkip: recorder.skip, onCreated }
    const opened = await openSides(options.from, options.to, opening)
    const source = selectFiles(opened.source, isSelected)
    const target = selectFiles(opened.target, isSelected)
    listener.onOpened(source, target)
    await transfer({ ...options, source, target, recorder, pause })
    const { report } = recorder
    if (selectionName !== undefined) checkFound(report, source.name, selectionName)
    await target.close(report.failed_count === 0 && !dryRun)
    return { source: source.name, target: target.name, report }
  } finally {
    cache.close()
  }
}

/** Keeps files that are not selected out of the report. */
function ignoreUnselected(recorder: TransferRecorder, isSelected: (path: string) => boolean): TransferRecorder {
  // A folder that cannot be read is reported in any case: it may contain selected files.
  return { ...recorder, skip: (entry) => (entry.path.endsWith("/") || isSelected(entry.path)) && recorder.skip(entry) }
}

function checkFound(
  { files, unchanged, deleted, failed_count, skipped }: TransferReport,
  source: string,
  selection: string,
): void {
  if (files + unchanged + deleted + failed_count + skipped.length > 0) return
  throw new AssayError("not_found", `Nothing in ${printable(source)} matches ${selection}.`)
}
