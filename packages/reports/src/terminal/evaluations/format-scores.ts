import type { Score } from "@assay/schemas"
import { formatInteger, formatScore } from "../../text/format-number.ts"
import { noiseSentence } from "../../text/noise-sentence.ts"
import { intervalNote, scoreInterval } from "../../text/score-interval.ts"
import { gateNotes } from "../../text/gate-notes.ts"
import { formatTable } from "../format-table.ts"
import { toneOf } from "../tone.ts"
import { verdictWord } from "../../text/verdict-word.ts"

/** A score of a result with its name, such as `task.metric.score`. */
export interface ShownScore {
  readonly name: string
  readonly found: Score
}

/** A limit for a score, and whether the score keeps it. */
export interface ShownGate {
  readonly name: string
  /** `>= 0.8`, or `>= 0.8 on these rows` */
  readonly limit: string
  readonly value: Score["value"]
  /** The range that was compared with the limit; null if there is none. */
  readonly low: number | null
  readonly high: number | null
  /** Null: the score measures something else in the results with which the gate compares it. */
  readonly verdict: string | null
  /** Why it is not decided, or why it fails, if not because of its interval or its value. */
  readonly reason?: string
  /** Whether the value of these rows was compared, without an interval. */
  readonly on_these_rows?: true
  /** `early` for a gate that can end the job. */
  readonly stop?: string
}

const COUNTS = ["scored", "unreadable", "errored", "skipped"] as const

/** Conversations that a limit ended before a turn of the check. */
const NOT_REACHED = {
  heading: "NOT REACHED",
  value: ({ found }: ShownScore) => (found.stats ? formatInteger(found.stats.not_reached ?? 0) : "–"),
  align: "right" as const,
}

/** Formats scores as a table with intervals and counts. `*` marks a mean over fewer than all rows. */
export function formatScores(scores: readonly ShownScore[]): string {
  if (scores.length === 0) return "no scores\n"
  const isCut = scores.some(({ found }) => found.stats?.not_reached !== undefined)
  const table = formatTable(scores, [
    { heading: "SCORE", value: ({ name }) => name },
    {
      heading: "VALUE",
      value: ({ found }) => `${formatScore(found.value)}${isPartial(found) ? "*" : ""}`,
      align: "right",
    },
    { heading: "95 % INTERVAL", value: ({ found }) => formatInterval(scoreInterval(found)) },
    ...COUNTS.map((count) => ({
      heading: count.toUpperCase(),
      value: ({ found }: ShownScore) => (found.stats ? formatInteger(found.stats[count]) : "–"),
      align: "right" as const,
    })),
    ...(isCut ? [NOT_REACHED] : []),
  ])
  const repeats = scores.flatMap(({ name, found }) => formatRepeats(name, found))
  const partial = scores.some(({ found }) => isPartial(found)) ? "* over the rows that were scored, not over all\n" : ""
  const first = intervalNote(scores)
  const note = first === undefined ? partial : `${partial}${first}\n`
  return `${table}${note}${repeats.length === 0 ? "" : `\n${repeats.join("")}`}`
}

/** Formats the outcomes of gates, one line each, and what to know about them. */
export function formatGates(gates: readonly ShownGate[]): string {
  const table = formatTable(gates, [
    { heading: "GATE", value: ({ name, limit }) => `${name} ${limit}` },
    { heading: "VALUE", value: ({ value }) => formatScore(value), align: "right" },
    {
      heading: "INTERVAL",
      value: ({ low, high }) => formatInterval(low === null || high === null ? null : { low, high }),
    },
    {
      heading: "VERDICT",
      value: ({ verdict }) => verdictWord(verdict),
      tone: ({ verdict }) => toneOf(verdictWord(verdict)),
    },
  ])
  return `${table}${gateNotes(gates)
    .map((note) => `${note}\n`)
    .join("")}`
}

/** Formats an interval as `0.77 to 0.86`, and a missing one as `–`. */
export function formatInterval(interval: { readonly low: number; readonly high: number } | null): string {
  return interval === null ? "–" : `${formatScore(interval.low)} to ${formatScore(interval.high)}`
}

function isPartial({ stats }: Score): boolean {
  return stats?.complete === false
}

/** The numbers of answers that people compare. */
const SHOWN: ReadonlySet<number> = new Set([1, 2, 5, 10, 20, 50])

/** Formats what repeats show: `correct.string-check, asked 3 times: pass@3 0.9, …`. */
function formatRepeats(name: string, { stats }: Score): readonly string[] {
  const noise = stats?.noise === undefined ? [] : [`${name}: ${noiseSentence(stats.noise)}\n`]
  if (stats?.repeats === undefined) return noise
  const { repeats: k, pass_at_k, pass_at = [], pass_pow_k, majority, flip_rate } = stats.repeats
  const shares = [
    ...pass_at.flatMap((share, at) =>
      SHOWN.has(at + 1) && at + 1 < k ? [`pass@${at + 1} ${formatScore(share)}`] : [],
    ),
    `pass@${k} ${formatScore(pass_at_k)}`,
    `pass^${k} ${formatScore(pass_pow_k)}`,
    `majority ${formatScore(majority)}`,
    `flips ${formatScore(flip_rate)}`,
  ]
  return [`${name}, asked ${k} times: ${shares.join(", ")}\n`, ...noise]
}
