import { resolve } from "node:path"
import { cutRuns, engineRuns } from "@assay/jobs"
import type { EngineRun } from "../engines/engine-types.ts"
import { createProgressReporter, formatCount } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { EXIT, type ExitCode } from "../../../exit-code.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import { checkSummary, type SummaryOption } from "../../summary/write-summary.ts"
import { withKeyHosts } from "../../guard/inference-key.ts"
import { followEngine } from "../engines/follow-engine.ts"
import { openEngines } from "../engines/open-engines.ts"
import { shownRun } from "../run-end.ts"
import { printResult } from "../run-here.ts"
import { openRun, runPorts } from "./open-run.ts"

/** Options of `assay eval merge`. */
export interface MergeOptions extends JsonOption, SummaryOption {
  readonly out?: string
  readonly junit?: string
  /** How often missing shards are submitted again. */
  readonly resubmit?: number
  /** Minutes without progress after which missing shards are not waited for. */
  readonly wait?: number
  /** Hosts that may get keys of shards that are submitted again. */
  readonly keyHost?: readonly string[]
}

/** Runs `assay eval merge <run>`: computes the results of a run. Exit code as that of `assay eval run`. */
export async function mergeRun(given: Context, written: string, options: MergeOptions): Promise<ExitCode> {
  const context = withKeyHosts(given, options.keyHost)
  checkSummary(options)
  context.keepHeapSmall()
  const { json = false, junit, summary, out, resubmit, wait } = options
  const reporter = createProgressReporter(context, options)
  const store = await openRun(context, written)
  const plan = await cutRuns.plan(store)
  const { now, sleep, signal } = context
  if (wait !== undefined) await engineRuns.waitForShards(store, { quiet: wait * 60_000, now, sleep, signal })
  if (resubmit !== undefined) {
    const run = openEngines(context, store)
    const end = await submitMissing(context, run, { json, max: resubmit })
    if (end === "submitted") return EXIT.done
    if (end === "tied")
      return followEngine(context, run, { plan, request: undefined, cancels: true, json, junit, summary })
  }
  const start = performance.now()
  const merged = await cutRuns.merge(runPorts(context), store, {
    out: out === undefined ? undefined : resolve(context.cwd, out),
    signal,
  })
  const result = { ...merged, milliseconds: performance.now() - start, isInterrupted: false }
  const { name, job } = plan
  return printResult(context, result, { name, job, json, junit, summary, reporter, compareEnd: undefined })
}

interface Resubmit {
  readonly json: boolean
  readonly max: number
}

/**
 * Submits shards that are missing again. The engine then merges again, too, if it did before.
 * @returns `tied`: this process has to follow them, because they end with it
 */
async function submitMissing(
  context: Context,
  run: EngineRun,
  { json, max }: Resubmit,
): Promise<"none" | "tied" | "submitted"> {
  const submission = await engineRuns.submitAgain(run, { max, signal: context.signal })
  if (submission === undefined) return "none"
  const { isTied = false } = await run.executorOf(submission)
  if (isTied) return "tied"
  const { indexes, round, executor, given } = submission
  const shown = shownRun(context, run.store.location)
  const submitted = { run: shown, shards: indexes, round, executor, ids: given?.ids ?? [] }
  await print(
    context,
    { json },
    submitted,
    () =>
      `${formatCount(indexes.length, "shard")} of ${printable(shown)} without rows: submitted again to ${executor}, ${round} of ${max}\n`,
  )
  return "submitted"
}
