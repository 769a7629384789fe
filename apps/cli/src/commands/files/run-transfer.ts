import { AssayError } from "@assay/schemas/errors"
import { cacheFolder } from "../../cache-folder.ts"
import type { Context } from "../../context.ts"
import { formatCount } from "../../output/format-count.ts"
import { formatJson } from "../../output/format-json.ts"
import { formatTransferSummary } from "../../output/format-transfer-summary.ts"
import { createTransferTeller } from "../../output/transfer-teller.ts"
import { writeText } from "../../output/write-text.ts"
import { openTransferCache, type TransferCache } from "../../transfer/transfer-cache.ts"
import { createTransferRecorder, type TransferRecorder, type TransferReport } from "../../transfer/transfer-report.ts"
import type { TransferSide } from "../../transfer/transfer-side.ts"
import { transfer } from "../../transfer/transfer.ts"
import type { JsonOption } from "../action.ts"

/** Options of `push`, `pull`, `cp` and `sync`. */
export interface TransferFlags extends JsonOption {
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

/** Runs one transfer from its sides to its summary. @throws `transfer_incomplete` where files could not be moved */
export async function runTransfer(context: Context, run: TransferRun): Promise<void> {
  const { now, random, sleep, signal, stdout, stderr } = context
  const start = now()
  const teller = createTransferTeller(context, run.flags)
  const recorder = createTransferRecorder(teller.onTrouble)
  const cache = openTransferCache(cacheFolder(context), now)
  const pause = (attempt: number): Promise<void> =>
    sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + random() / 2), signal)
  try {
    const { source, target } = await run.open({ cache, recorder, pause })
    const { json = false, dryRun = false, parallel } = run.flags
    const options = { delete: run.delete, dryRun, parallel, recorder, listener: teller, pause, signal }
    await transfer({ source, target, ...options })
    const { report } = recorder
    await target.close(report.failed_count === 0 && !dryRun)
    teller.end()
    const milliseconds = now() - start
    const [done, planned] = run.verbs
    const verb = dryRun ? `would ${planned}` : done
    const summary = { verb, where: run.where({ source, target }), report, deletes: run.delete, milliseconds }
    if (json) {
      const sides = { source: source.name, target: target.name, dry_run: dryRun }
      const actions = dryRun ? { actions: teller.actions } : {}
      await writeText(stdout, formatJson({ ...sides, ...report, duration_ms: milliseconds, ...actions }))
    } else await writeText(stderr, `${formatTransferSummary(summary)}\n`)
  } finally {
    teller.end()
    cache.close()
  }
  checkComplete(recorder.report)
}

function checkComplete({ files, failed_count, failed }: TransferReport): void {
  if (failed_count === 0) return
  const [first] = failed
  const message = `${formatCount(failed_count, "file")} could not be moved, ${formatCount(files, "file")} could: ${first?.message ?? ""}`
  throw new AssayError("transfer_incomplete", message, { context: { failed_count } })
}
