import { printable } from "@assay/schemas"
import { formatCount, formatInteger } from "../text/format-number.ts"

/** Failures and submissions that are printed. */
const SHOWN = 10
/** Ids that are printed. */
const SHOWN_IDS = 3

/** Returns the first ids by which an engine knows what it was given. */
export function describeIds(ids: readonly string[]): string {
  return `${ids.slice(0, SHOWN_IDS).map(printable).join(", ")}${ids.length > SHOWN_IDS ? ", …" : ""}`
}

/** The status of a run that was cut into shards. */
export interface RunStatus {
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

interface FormattedStatus extends RunStatus {
  /** The run as a word of a command. */
  readonly word: string
  readonly isSubmitted: boolean
}

/** Formats the status of a run that was cut, and the command to run next. */
export function formatRunStatus(found: FormattedStatus): string {
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
