import { resolve } from "node:path"
import { engineRuns } from "@assay/executors"
import { cutRuns, resultsFolder } from "@assay/local"
import type { EngineRun } from "../engines/engine-types.ts"
import { createProgressReporter, formatCount } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { EXIT, type ExitCode } from "../../../exit-code.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import { checkReports, type SummaryOption } from "../../summary/write-summary.ts"
import { withKeyHosts } from "../../guard/inference-key.ts"
import { followEngine } from "../engines/follow-engine.ts"
import { openEngines } from "../engines/open-engines.ts"
import { shownRun } from "../run-end.ts"
import { printResult } from "../run-here.ts"
import { openRun, runPorts } from "./open-run.ts"
import { withPace } from "./pace-location.ts"

/** Options of `assay eval merge`. */
export interface MergeOptions extends JsonOption, SummaryOption {
  readonly out?: string
  readonly force?: boolean
  readonly junit?: string
  /** How often missing shards are submitted again. */
  readonly resubmit?: number
  /** Minutes without progress after which missing shards are not waited for. */
  readonly wait?: number
  /** Hosts that may get keys of shards that are submitted again. */
  readonly keyHost?: readonly string[]
  /** Where they share the rates of endpoints. */
  readonly pace?: string
}

/** Runs `assay eval merge <run>`: computes the results of a run. Exit code as that of `assay eval run`. */
export async function mergeRun(given: Context, written: string, options: MergeOptions): Promise<ExitCode> {
  const context = withPace(withKeyHosts(given, options.keyHost), options.pace)
  await checkReports(context, options)
  context.keepHeapSmall()
  const { json = false, junit, summary, force = false, resubmit, wait } = options
  const out = options.out === undefined ? undefined : resolve(context.cwd, options.out)
  const reporter = createProgressReporter(context, options)
  const store = await openRun(context, written)
  const plan = await cutRuns.plan(store)
  if (out !== undefined) await resultsFolder.check(out, { overwrite: force, isSame: ({ id }) => id === plan.id })
  const { sleep, signal } = context
  const now = () => performance.now()
  if (wait !== undefined) await engineRuns.waitForShards(store, { quiet: wait * 60_000, now, sleep, signal })
  if (resubmit !== undefined) {
    const run = openEngines(context, store)
    const submission = await engineRuns.submitAgain(run, { max: resubmit, signal })
    if (submission !== undefined) {
      // The engine merges into the run, and writes nothing for this command.
      const isLeft =
        submission.given?.merges === true && out === undefined && junit === undefined && summary === undefined
      if (isLeft) return printSubmitted(context, run, submission, { json, max: resubmit })
      return followEngine(context, run, { plan, request: undefined, cancels: true, out, json, junit, summary })
    }
  }
  const start = performance.now()
  const merged = await cutRuns.merge(runPorts(context), store, {
    out,
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

/** Prints what was submitted again to an engine, which also merges again when it has ended. */
async function printSubmitted(
  context: Context,
  { store }: EngineRun,
  { indexes, round, executor, given }: NonNullable<Awaited<ReturnType<typeof engineRuns.submitAgain>>>,
  { json, max }: Resubmit,
): Promise<ExitCode> {
  const shown = shownRun(context, store.location)
  const submitted = { run: shown, shards: indexes, round, executor, ids: given?.ids ?? [] }
  await print(
    context,
    { json },
    submitted,
    () =>
      `${formatCount(indexes.length, "shard")} of ${printable(shown)} without rows: submitted again to ${executor}, ${round} of ${max}\n`,
  )
  return EXIT.done
}
