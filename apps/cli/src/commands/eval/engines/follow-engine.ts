import { engineRuns } from "@assay/executors"
import { cutRuns } from "@assay/local"
import type { EngineRequest, EngineRun, FollowedRun, FollowEnd, MergedRun, ShardPlan } from "./engine-types.ts"
import { createProgressReporter, describeIds, formatInteger, type ProgressReporter } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { AssayError, isAssayError, messageOf } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import type { ExitCode } from "../../../exit-code.ts"
import { type JobEnd, runWord } from "../run-end.ts"
import { printResult } from "../run-here.ts"
import type { Compared } from "../../baseline/compare-with-baseline.ts"
import { runPorts, type RunState } from "../shards/open-run.ts"

export interface FollowEngineOptions {
  readonly plan: ShardPlan
  /** The request to submit now. Undefined: only what was submitted before. */
  readonly request: EngineRequest | undefined
  /** Whether Ctrl-C stops all processes of the run. */
  readonly cancels: boolean
  /** Absolute path of a folder for the results. Default: they are written into the run. */
  readonly out?: string | undefined
  readonly json: boolean
  readonly junit: string | undefined
  readonly summary: string | undefined
  readonly compareEnd?: ((folder: string) => Promise<Compared>) | undefined
  readonly isInformative?: boolean | undefined
  readonly onEnd?: ((end: JobEnd) => void) | undefined
}

/** Follows a run to its end, merges its results unless its engine does, and prints them like a run of one process. */
export async function followEngine(context: Context, run: EngineRun, options: FollowEngineOptions): Promise<ExitCode> {
  const { plan, json, junit, summary, compareEnd, isInformative, onEnd } = options
  context.keepHeapSmall()
  const reporter = createProgressReporter(context, { json })
  const start = performance.now()
  const end = await follow(context, run, reporter, options)
  const merged = await endOf(context, run, end, options.out)
  const result = { ...merged, milliseconds: performance.now() - start, isInterrupted: false }
  const { name, job } = plan
  const isUnmerged = end.kind === "failed"
  if (isUnmerged) {
    const shown = runWord(context, run.store)
    reporter.say(
      `answered rows are kept: \`assay eval resume ${shown}\`, or the same command again, asks the others\n` +
        `\`assay eval logs ${shown} --shard ${end.shard.index}\` prints what the processes of the shard have written`,
    )
  }
  const shown = { name, job, json, junit, summary, reporter, compareEnd, isInformative, onEnd, isUnmerged }
  return printResult(context, result, shown)
}

async function follow(
  context: Context,
  run: EngineRun,
  reporter: ProgressReporter,
  { request, cancels }: FollowEngineOptions,
): Promise<FollowEnd> {
  let last: FollowedRun | undefined
  let cancelled: readonly string[] | undefined
  try {
    return await engineRuns.follow(run, {
      request,
      cancels,
      onCancel: (ids) => (cancelled = ids),
      onProgress: (found) => {
        last = found
        reporter.show(progressOf(found))
      },
      onNote: (text) => reporter.say(printable(text)),
      signal: context.signal,
    })
  } catch (error) {
    if (context.signal.aborted) await sayInterrupted(context, run, { reporter, last, error, cancelled })
    throw error
  } finally {
    reporter.end()
  }
}

function progressOf(run: FollowedRun) {
  const { processed, total, failed, shards, done, running } = run
  const tokens = { prompt: 0, completion: 0 }
  for (const { progress } of shards) {
    tokens.prompt += progress?.tokens.prompt ?? 0
    tokens.completion += progress?.tokens.completion ?? 0
  }
  return { processed, total, failed, means: {}, tokens, shards: { total: shards.length, done, running } }
}

interface Interrupted {
  readonly reporter: ProgressReporter
  readonly last: RunState | undefined
  readonly error: unknown
  /** Names of the cancelled submissions. Undefined if their processes keep running. */
  readonly cancelled: readonly string[] | undefined
}

async function sayInterrupted(
  context: Context,
  { store }: EngineRun,
  { reporter, last: before, error, cancelled }: Interrupted,
): Promise<void> {
  const shown = runWord(context, store)
  // The processes have stored answers while they ended.
  const last = await cutRuns.state(store).catch(() => before)
  // An engine that refused to stop is worth more than the interrupt itself.
  if (isAssayError(error)) reporter.say(printable(messageOf(error)))
  const rows =
    last === undefined
      ? ""
      : `${formatInteger(last.processed)} of ${formatInteger(last.total)} rows are answered and kept in ${shown}. `
  const next =
    cancelled !== undefined
      ? `${cancelled.length === 0 ? "" : `Cancelled: ${describeIds(cancelled)}. `}\`assay eval resume ${shown}\`, or the same command again, continues.`
      : `Shards that an engine has keep running: \`assay eval watch ${shown}\` follows them, and \`assay eval cancel ${shown}\` ends them.`
  reporter.say(rows + next)
}

async function endOf(context: Context, run: EngineRun, end: FollowEnd, out: string | undefined): Promise<MergedRun> {
  const { store } = run
  const shown = runWord(context, store)
  if (end.kind === "failed") return cutRuns.failed(store, end, run.ports.now)
  if (end.kind === "cancelled") {
    const message = `The run ${shown} was cancelled: \`assay eval resume ${shown}\` continues it.`
    throw new AssayError("illegal_transition", message)
  }
  if (end.kind === "not-submitted") {
    const message = `No engine has ${end.missing} of the shards of ${shown}: submit them with \`assay eval run FILE --executor NAME --out ${shown}\`, or run each with \`assay eval shard ${shown} --index N\`.`
    throw new AssayError("shards_missing", message)
  }
  const merged = end.isMerged && out === undefined ? await cutRuns.merged(store) : undefined
  return merged ?? cutRuns.merge(runPorts(context), store, { out, signal: context.signal })
}
