import { engineRuns } from "@assay/executors"
import type { EngineRunState } from "./engine-types.ts"
import { describeIds, formatRunStatus, type RunStatus } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import { runWord, shownRun } from "../run-end.ts"
import { openEngines } from "./open-engines.ts"
import type { RunStore } from "../shards/open-run.ts"

/** Ids that the status lists. */
const SHOWN = 10

/** Runs `assay eval status <run>` for a run that was cut. */
export async function showRunStatus(context: Context, store: RunStore, options: JsonOption): Promise<void> {
  const found = await engineRuns.look(openEngines(context, store), context.signal)
  const { run, submissions, isSubmitted } = found
  const status = {
    run: shownRun(context, store.location),
    id: run.plan.id,
    name: run.plan.name,
    status: statusOf(found, context.now()),
    ...(run.merged === undefined ? {} : { message: run.merged.message }),
    samples_total: run.total,
    samples_processed: run.processed,
    samples_failed: run.failed,
    ...(run.endedEarly.length === 0 ? {} : { ended_early: run.endedEarly }),
    shards: shardCounts(run),
    failures: run.shards.flatMap(({ index, failure }) =>
      failure === undefined
        ? []
        : [{ shard: index, attempt: failure.attempt, code: failure.code, message: failure.message }],
    ),
    submissions: submissions.map(({ number, executor, profile, indexes, round, shownIds }) => ({
      number,
      executor,
      ...(profile.name === undefined ? {} : { profile: profile.name }),
      shards: indexes.length,
      round: Math.max(0, round),
      ids: shownIds.slice(0, SHOWN),
    })),
  }
  const word = runWord(context, store)
  await print(context, options, status, (found) => formatRunStatus({ ...found, word, isSubmitted }))
}

/** Returns the number of shards by state. Those that ended early, because too many rows had failed, the budget was used up or gates were decided, are stopped. */
function shardCounts({ shards, done, running, waiting }: EngineRunState["run"]): RunStatus["shards"] {
  const stopped = shards.filter(({ isStopped }) => isStopped).length
  return { total: shards.length, done: done - stopped, running, waiting, stopped }
}

/** Milliseconds without new counts after which a shard that no engine has does not run any more. It writes them each second. */
const BY_HAND_MS = 10_000

function statusOf({ run, submissions, isSubmitted, state }: EngineRunState, now: number): string {
  if (run.merged !== undefined) return run.merged.status
  const isAlive = run.shards.some(
    ({ state, progress }) => state === "running" && progress !== undefined && now - progress.updated_at < BY_HAND_MS,
  )
  if (!isSubmitted && state === "idle" && isAlive) return "RUNNING"
  const hasBegun = run.done > 0 || run.processed > 0 || submissions.length > 0
  const idle = hasBegun ? "INTERRUPTED" : "PENDING"
  return { active: "RUNNING", idle, cancelled: "CANCELLED", failed: "FAILED", done: "NOT MERGED" }[state]
}

/** Runs `assay eval cancel <run>` for a run that was cut. */
export async function cancelRun(context: Context, store: RunStore, options: JsonOption): Promise<void> {
  const run = openEngines(context, store)
  const ids = await engineRuns.cancel(run)
  const shown = shownRun(context, store.location)
  await print(
    context,
    options,
    { run: shown, status: "CANCELLED", ids },
    () =>
      `${printable(shown)}: CANCELLED${ids.length === 0 ? "" : ` (${describeIds(ids)})`}; answered rows are kept, and \`assay eval resume ${runWord(context, store)}\` continues it\n`,
  )
}
