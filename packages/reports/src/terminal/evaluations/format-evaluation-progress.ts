import { formatInterval, type ShownGate } from "./format-scores.ts"
import { formatDuration, formatInteger, formatScore } from "../../text/format-number.ts"

/** The progress of a job, from the local runner or from the events of a server. */
export interface ShownProgress {
  readonly processed: number
  /** Null until the rows are counted. */
  readonly total: number | null
  readonly failed: number
  /** Running means by `task.metric.score`. */
  readonly means: Readonly<Record<string, number>>
  /** Tokens of all answers so far. */
  readonly tokens: { readonly prompt: number; readonly completion: number }
  /** Gates that can end the job. */
  readonly gates?: readonly ShownGate[] | undefined
  /** The shards of a job that several processes run. */
  readonly shards?: { readonly total: number; readonly done: number; readonly running: number } | undefined
}

const SHOWN_MEANS = 3

/**
 * Formats the progress of a job:
 * `120 of 200 rows  45/s  1.8 s left  2 failed  correct.string-check 0.83  12.4k tokens  cost 0.0213`.
 * @param elapsed milliseconds since `before` rows were done, for the rate
 */
export function formatEvaluationProgress(progress: ShownProgress, elapsed: number, before: number): string {
  const { processed, total, failed, means, tokens, gates = [], shards } = progress
  const rate = elapsed > 0 ? ((processed - before) / elapsed) * 1000 : 0
  const used = tokens.prompt + tokens.completion
  const cost = costOf(progress)
  return [
    `${formatInteger(processed)}${total === null ? "" : ` of ${formatInteger(total)}`} rows`,
    ...(rate > 0 ? [`${rate < 10 ? rate.toFixed(1) : formatInteger(Math.round(rate))}/s`] : []),
    ...(rate > 0 && total !== null && total > processed
      ? [`${formatDuration(((total - processed) / rate) * 1000)} left`]
      : []),
    ...(failed === 0 ? [] : [`${formatInteger(failed)} failed`]),
    ...(shards === undefined
      ? []
      : [
          `${formatInteger(shards.done)} of ${formatInteger(shards.total)} shards done, ${formatInteger(shards.running)} running`,
        ]),
    ...(gates.length === 0 ? meansOf(means) : gates.slice(0, SHOWN_MEANS).map(gateOf)),
    ...(used === 0 ? [] : [`${shortCount(used)} tokens`]),
    ...(cost === undefined ? [] : [`cost ${formatScore(cost)}`]),
  ].join("  ")
}

function meansOf(means: ShownProgress["means"]): readonly string[] {
  const entries = Object.entries(means).filter(([name]) => !isSpent(name))
  return entries.slice(0, SHOWN_MEANS).map(([name, mean]) => `${shortName(name)} ${formatScore(mean)}`)
}

/** Returns `correct.string-check 0.86 (0.78 to 0.93) >= 0.8`, and its verdict once there is one. */
function gateOf({ name, limit, value, low, high, verdict }: ShownGate): string {
  const interval = low === null || high === null ? "" : ` (${formatInterval({ low, high })})`
  return `${shortName(name)} ${formatScore(value)}${interval} ${limit}${verdict === null || verdict === "INCONCLUSIVE" ? "" : ` ${verdict}`}`
}

/** Returns whether a mean is of latency, tokens or cost, which are not shown as scores. */
function isSpent(name: string): boolean {
  return /\.(latency|latency_ms|tokens|cost|prompt_tokens|completion_tokens|total_tokens)(_\w+)?$/.test(name)
}

/** Returns the cost so far: the mean cost of a row times the rows. */
function costOf({ means, processed }: ShownProgress): number | undefined {
  const costs = Object.entries(means).filter(([name]) => name.endsWith(".cost"))
  return costs.length === 0 ? undefined : costs.reduce((sum, [, mean]) => sum + mean, 0) * processed
}

/** Returns the last two parts of `task.metric.score`. */
function shortName(name: string): string {
  const parts = name.split(".")
  return parts.length > 2 ? parts.slice(-2).join(".") : name
}

function shortCount(number: number): string {
  if (number < 10_000) return formatInteger(number)
  return number < 1_000_000 ? `${(number / 1000).toFixed(1)}k` : `${(number / 1_000_000).toFixed(1)}M`
}
