import { cutRuns, engineRuns } from "@assay/jobs"
import type { EngineRunState } from "./engine-types.ts"
import { formatCount, formatInteger } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { writeText } from "../../../output/write-text.ts"
import { quotedWord } from "../../../output/error-hints.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import { shownRun } from "../run-end.ts"
import { describeIds, openEngines, runWord } from "./open-engines.ts"
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
    shards: { total: run.shards.length, done: run.done, running: run.running, waiting: run.waiting },
    failures: run.shards.flatMap(({ index, failure }) =>
      failure === undefined
        ? []
        : [{ shard: index, attempt: failure.attempt, code: failure.code, message: failure.message }],
    ),
    submissions: submissions.map(({ number, executor, profile, indexes, round, given }) => ({
      number,
      executor,
      ...(profile.name === undefined ? {} : { profile: profile.name }),
      shards: indexes.length,
      round: Math.max(0, round),
      ids: given?.ids.slice(0, SHOWN) ?? [],
    })),
  }
  const named = submissions.map(({ shownIds }) => shownIds)
  await print(context, options, status, (found) => formatStatus({ ...found, named, isSubmitted }))
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
  readonly shards: { readonly total: number; readonly done: number; readonly running: number; readonly waiting: number }
  readonly failures: readonly { readonly shard: number; readonly attempt: number; readonly message: string }[]
  readonly submissions: readonly {
    readonly number: number
    readonly executor: string
    readonly shards: number
    readonly round: number
  }[]
}

interface FormattedStatus extends Status {
  /** The ids of each submission, as they are shown. */
  readonly named: readonly (readonly string[])[]
  readonly isSubmitted: boolean
}

function formatStatus(found: FormattedStatus): string {
  const { run, status, message, shards, failures, submissions, named } = found
  const bad = found.samples_failed === 0 ? "" : `, ${formatInteger(found.samples_failed)} of them failed`
  const rows = `${formatInteger(found.samples_processed)} of ${formatInteger(found.samples_total)} rows${bad}`
  const lines = [
    `${printable(run)}: ${status}, ${rows}`,
    ...(message === undefined || message === "" ? [] : [printable(message)]),
    `${formatInteger(shards.done)} of ${formatCount(shards.total, "shard")} done, ${formatInteger(shards.running)} running, ${formatInteger(shards.waiting)} waiting`,
    ...failures
      .slice(0, SHOWN)
      .map((one) => `  shard ${one.shard} failed (attempt ${one.attempt}): ${printable(one.message)}`),
    ...(failures.length > SHOWN ? [`  … and ${failures.length - SHOWN} others`] : []),
    ...submissions
      .map(
        (one, at) =>
          `  submission ${one.number}: ${formatCount(one.shards, "shard")} to ${one.executor}${one.round === 0 ? "" : `, retry ${one.round}`} (${describeIds(named[at] ?? [])})`,
      )
      .slice(-SHOWN),
    ...nextOf(found),
  ]
  return `${lines.join("\n")}\n`
}

function nextOf({ run, status, shards, isSubmitted }: FormattedStatus): readonly string[] {
  const shown = printable(quotedWord(run))
  const isByHand = !isSubmitted && shards.done < shards.total
  if (isByHand)
    return [
      `\`assay eval shard ${shown} --index N\` runs a shard, and \`assay eval merge ${shown}\` computes the results when all are done`,
    ]
  if (status === "RUNNING") return [`\`assay eval watch ${shown}\` follows it`]
  if (status === "NOT MERGED") return [`\`assay eval merge ${shown}\` computes the results`]
  const isOpen = ["CANCELLED", "FAILED", "INTERRUPTED"].includes(status) && run !== ""
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

/** Prints what the processes of a shard have written. */
export async function printShardLog(context: Context, store: RunStore, index: number): Promise<void> {
  const { shards } = await cutRuns.plan(store)
  if (index >= shards.length) {
    const which = shards.length === 1 ? "1 shard: 0" : `${shards.length} shards: 0 to ${shards.length - 1}`
    throw new AssayError("bad_usage", `There is no shard ${index}. The run has ${which}.`)
  }
  let isEmpty = true
  for await (const text of engineRuns.logs(openEngines(context, store), index, context.signal)) {
    if (text !== "") isEmpty = false
    await writeText(context.stdout, text)
  }
  if (isEmpty) await writeText(context.stderr, `there is no output of shard ${index} yet, or its engine kept none\n`)
}

/** Prints the failures of a run whose results are not merged yet. */
export async function printFailures(context: Context, store: RunStore): Promise<void> {
  const { run } = await engineRuns.look(openEngines(context, store), context.signal)
  const shown = runWord(context, store)
  for (const { index, failure } of run.shards) {
    if (failure === undefined) continue
    const at = new Date(failure.at).toISOString()
    await writeText(context.stdout, `${at} ERROR shard ${index} (attempt ${failure.attempt}): ${failure.message}\n`)
  }
  await writeText(
    context.stderr,
    `the log of all rows is written when the run is merged; \`assay eval logs ${shown} --shard N\` prints what the processes of a shard have written\n`,
  )
}
