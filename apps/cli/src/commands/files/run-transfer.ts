import { AssayError } from "@assay/schemas/errors"
import { cacheFolder } from "../../cache-folder.ts"
import type { Context } from "../../context.ts"
import { formatCount } from "../../output/format-count.ts"
import { formatJson } from "../../output/format-json.ts"
import { formatRowFault } from "../../output/format-row-fault.ts"
import { formatTransferSummary } from "../../output/format-transfer-summary.ts"
import { printable } from "../../output/printable.ts"
import { createTransferTeller } from "../../output/transfer-teller.ts"
import { writeText } from "../../output/write-text.ts"
import { compileFileFilter, filterSide, type FilterPatterns } from "../../transfer/file-filter.ts"
import { openTransferCache, type TransferCache } from "../../transfer/transfer-cache.ts"
import { createTransferRecorder, type TransferRecorder, type TransferReport } from "../../transfer/transfer-report.ts"
import type { TransferSide } from "../../transfer/transfer-side.ts"
import { transfer } from "../../transfer/transfer.ts"
import type { JsonOption } from "../action.ts"

/** Options of `push`, `pull`, `cp` and `sync`. */
export interface TransferFlags extends JsonOption, FilterPatterns {
  readonly parallel: number
  readonly dryRun?: boolean
}

/** What a side is opened with. */
export interface SideTools {
  readonly cache: TransferCache
  readonly recorder: TransferRecorder
  readonly pause: (attempt: number) => Promise<void>
}

export interface TransferSides {
  readonly source: TransferSide
  readonly target: TransferSide
}

export interface TransferRun {
  /** `push`, `pull`, `cp` or `sync`, in the past and in the infinitive. */
  readonly verbs: readonly [done: string, planned: string]
  /** Where the files went or came from, for the summary. */
  readonly where: (sides: TransferSides) => string
  readonly flags: TransferFlags
  readonly delete: boolean
  readonly open: (tools: SideTools) => Promise<TransferSides>
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

/** Runs one transfer from its sides to its summary. @throws `transfer_incomplete` if files could not be moved */
export async function runTransfer(context: Context, run: TransferRun): Promise<void> {
  const { now, random, sleep, signal, stdout, stderr } = context
  const start = now()
  const { json = false, dryRun = false, parallel, include = [], exclude = [] } = run.flags
  let placeOf = (path: string): string => path
  const teller = createTransferTeller(context, { json, dryRun, placeOf: (path) => placeOf(path) })
  const isSelected = compileFileFilter({ include, exclude })
  const recorder = ignoreUnselected(createTransferRecorder(teller.onTrouble), isSelected)
  const cache = openTransferCache(cacheFolder(context), now)
  const pause = (attempt: number): Promise<void> =>
    sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + random() / 2), signal)
  try {
    const opened = await run.open({ cache, recorder, pause })
    const source = filterSide(opened.source, isSelected)
    const target = filterSide(opened.target, isSelected)
    placeOf = (path) => source.placeOf(path)
    const options = { delete: run.delete, dryRun, parallel, recorder, listener: teller, pause, signal }
    await transfer({ source, target, ...options })
    if (include.length > 0) checkFound(recorder.report, source.name, include)
    const { report } = recorder
    await target.close(report.failed_count === 0 && !dryRun)
    teller.end()
    const milliseconds = now() - start
    const [done, planned] = run.verbs
    const verb = dryRun ? `would ${planned}` : done
    const summary = { verb, where: run.where({ source, target }), report, deletes: run.delete, dryRun, milliseconds }
    if (json) {
      const sides = { source: source.name, target: target.name, dry_run: dryRun }
      const actions = dryRun ? { actions: teller.actions } : {}
      await writeText(stdout, formatJson({ ...sides, ...report, duration_ms: milliseconds, ...actions }))
    } else await writeText(stderr, `${formatTransferSummary(summary)}\n`)
  } finally {
    teller.end()
    cache.close()
  }
  checkComplete(recorder.report, run.flags.dryRun === true, placeOf)
}

/** Leaves files that are not selected out of the report. */
function ignoreUnselected(recorder: TransferRecorder, isSelected: (path: string) => boolean): TransferRecorder {
  // A folder that can't be read stays in it, since it may hold files that are selected.
  return { ...recorder, skip: (entry) => (entry.path.endsWith("/") || isSelected(entry.path)) && recorder.skip(entry) }
}

/** @throws `not_found` if nothing was there to move, on either side */
function checkFound(
  { files, unchanged, deleted, failed_count, skipped }: TransferReport,
  name: string,
  include: readonly string[],
): void {
  if (files + unchanged + deleted + failed_count + skipped.length > 0) return
  const patterns = include.map((pattern) => `'${printable(pattern)}'`).join(" or ")
  throw new AssayError("not_found", `Nothing in ${printable(name)} matches --include ${patterns}.`)
}

/** @throws `transfer_incomplete` if a file failed, with the place of the first fault */
function checkComplete(
  { files, failed_count, failed }: TransferReport,
  dryRun: boolean,
  placeOf: (path: string) => string,
): void {
  const [first] = failed
  if (first === undefined) return
  const { path, message: why, rows: [row] = [] } = first
  const fault = row === undefined ? why : formatRowFault(placeOf(path), row)
  const counts = dryRun
    ? `${formatCount(failed_count, "file")} would be refused, ${formatCount(files, "file")} would move`
    : `${formatCount(failed_count, "file")} could not be moved, ${formatCount(files, "file")} could`
  throw new AssayError("transfer_incomplete", `${counts}: ${fault}`, { context: { failed_count } })
}
