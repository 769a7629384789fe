import { engineRuns } from "@assay/executors"
import type { EngineRunState } from "./engine-types.ts"
import { formatCount, formatInteger } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import { runWord, shownRun } from "../run-end.ts"
import { describeIds, openEngines } from "./open-engines.ts"
import type { RunStore } from "../shards/open-run.ts"

/** Failures and submissions that are printed. */
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
  await print(context, options, status, (found) => formatStatus({ ...found, word, isSubmitted }))
}

/** Returns the number of shards by state. Those that ended early, because too many rows had failed, the budget was used up or gates were decided, are stopped. */
function shardCounts({ shards, done, running, waiting }: EngineRunState["run"]): Status["shards"] {
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

interface Status {
  readonly run: string
  readonly status: string
  readonly message?: string
  readonly samples_total: number
  readonly samples_processed: number
  readonly samples_failed: number
  /** The tasks that ended early by their gates. */
  readonly ended_early?: readonly string[]
  readonly shards: Readonly<Record<"total" | "done" | "running" | "waiting" | "stopped", number>>
  readonly failures: readonly { readonly shard: number; readonly attempt: number; readonly message: string }[]
  readonly submissions: readonly {
    readonly number: number
    readonly executor: string
    readonly shards: number
    readonly round: number
    /** As they are shown. */
    readonly ids: readonly string[]
  }[]
}

interface FormattedStatus extends Status {
  /** The run as a word of a command. */
  readonly word: string
  readonly isSubmitted: boolean
}

function formatStatus(found: FormattedStatus): string {
  const { run, status, message, shards, failures, submissions, ended_early: early = [] } = found
  const bad = found.samples_failed === 0 ? "" : `, ${formatInteger(found.samples_failed)} of them failed`
  const rows = `${formatInteger(found.samples_processed)} of ${formatInteger(found.samples_total)} rows${bad}`
  const lines = [
    `${printable(run)}: ${status}, ${rows}`,
    ...(message === undefined || message === "" ? [] : [printable(message)]),
    ...(early.length === 0 ? [] : [`ended early by gates: ${printable(early.join(", "))}`]),
    `${formatInteger(shards.done)} of ${formatCount(shards.total, "shard")} done, ${formatInteger(shards.running)} running, ${formatInteger(shards.waiting)} waiting${shards.stopped === 0 ? "" : `, ${formatInteger(shards.stopped)} stopped`}`,
    ...failures
      .slice(0, SHOWN)
      .map((one) => `  shard ${one.shard} failed (attempt ${one.attempt}): ${printable(one.message)}`),
    ...(failures.length > SHOWN ? [`  … and ${failures.length - SHOWN} others`] : []),
    ...submissions
      .map(
        (one) =>
          `  submission ${one.number}: ${formatCount(one.shards, "shard")} to ${one.executor}${one.round === 0 ? "" : `, retry ${one.round}`} (${describeIds(one.ids)})`,
      )
      .slice(-SHOWN),
    ...nextOf(found),
  ]
  return `${lines.join("\n")}\n`
}

function nextOf({ word: shown, status, shards, samples_failed, isSubmitted }: FormattedStatus): readonly string[] {
  const isByHand = !isSubmitted && shards.done + shards.stopped < shards.total
  if (isByHand)
    return [
      `\`assay eval shard ${shown} --index N\` runs a shard, and \`assay eval merge ${shown}\` computes the results when all are done`,
    ]
  if (status === "RUNNING") return [`\`assay eval watch ${shown}\` follows it`]
  if (status === "NOT MERGED") return [`\`assay eval merge ${shown}\` computes the results`]
  // All shards are done, so that only failed rows are left.
  const hasFailedRows = shards.done + shards.stopped === shards.total && samples_failed > 0
  if (status === "FAILED" && hasFailedRows) return [`\`assay eval retry-failed ${shown}\` asks its failed rows again`]
  const isOpen = ["CANCELLED", "FAILED", "INTERRUPTED"].includes(status)
  return isOpen ? [`\`assay eval resume ${shown}\` continues it`] : []
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
