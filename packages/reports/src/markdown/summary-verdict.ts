import type { Comparison, PairComparison, ScoreComparison } from "@assay/schemas"
import { formatCount, formatInteger, formatScore } from "../text/format-number.ts"
import type { ShownGate } from "../terminal/evaluations/format-scores.ts"
import { isUnchangedComparison } from "../text/verdict-word.ts"
import { markdownCode, markdownText } from "./markdown.ts"
import type { Summary } from "./summary.ts"

/** A job without gates has completed, which is not a verdict. */
const SIGNS = { PASS: "✅", FAIL: "❌", INCONCLUSIVE: "⚠️", COMPLETED: "ℹ️" } as const
/** A job with hundreds of gates has a table of them below. */
const MAX_REASONS = 5

/** Formats the first lines of a summary: the verdict, and what decides it. */
export function summaryVerdict(summary: Summary): string {
  const { name, verdict } = summary
  const reasons = reasonsOf(summary)
  const left = reasons.length - MAX_REASONS
  const lines = reasons.slice(0, MAX_REASONS).map((reason) => `- ${reason}\n`)
  const more = left > 0 ? [`- ${formatCount(left, "more reason")}; the tables below have all.\n`] : []
  const word = wordOf(summary)
  return `## ${SIGNS[word === "COMPLETED" ? word : verdict]} ${word}: ${markdownText(name, 100)}\n\n${[...lines, ...more].join("")}`
}

function wordOf({ verdict, failure, job, gates = [], comparison }: Summary): string {
  if (failure !== undefined) return "ERROR"
  const isJudged = gates.length > 0 || comparison != null || verdict !== "PASS"
  return isJudged ? verdict : (job?.status ?? verdict)
}

function reasonsOf(summary: Summary): readonly string[] {
  const { verdict, failure, job, gates = [], comparison } = summary
  if (failure !== undefined)
    return [...failure.messages, ...(failure.remedy === "" ? [] : [`Remedy: ${failure.remedy}`])].map((line) =>
      markdownText(line),
    )
  const ended =
    job === undefined || job.status === "COMPLETED" ? [] : [`The job is ${job.status}: ${markdownText(job.message)}`]
  const ofVerdict = gates.filter((gate) => (gate.verdict ?? "INCONCLUSIVE") === verdict)
  if (verdict === "PASS") return [...ended, ...passed(gates, comparison)]
  const doubts =
    verdict === "FAIL"
      ? []
      : (job?.conditions ?? []).map(
          ({ code, title }) => `The condition ${markdownCode(code)} is open: ${markdownText(title)}.`,
        )
  return [...ended, ...ofVerdict.map(gateReason), ...comparisonReasons(comparison, verdict), ...doubts]
}

function passed(gates: readonly ShownGate[], comparison: Comparison | null | undefined): readonly string[] {
  const [only, ...others] = gates
  const kept =
    only === undefined
      ? []
      : [others.length === 0 ? gateReason(only) : `All ${formatInteger(gates.length)} gates pass.`]
  const compared =
    comparison == null
      ? []
      : isUnchangedComparison(comparison)
        ? ["No row changed against the baseline."]
        : [`No score is worse than the baseline by more than the margin of ${formatScore(comparison.margin)}.`]
  const reasons = [...kept, ...compared]
  return reasons.length === 0 ? ["There is no gate and no baseline, so no score decides."] : reasons
}

/** Says where the interval of a gate is, and so why it has its verdict. */
function gateReason({ name, limit, value, low, high, verdict, reason, on_these_rows }: ShownGate): string {
  const gate = `The gate ${markdownCode(`${name} ${limit}`)}`
  if (verdict === null) return `${gate} has no verdict: ${markdownText(reason ?? "the score measures something else")}.`
  if (on_these_rows === true) {
    const kept = verdict === "PASS" ? "keeps" : "breaks"
    const found =
      reason === undefined ? `the value is ${formatScore(value)}, which ${kept} the limit.` : markdownText(reason)
    return `${gate} ${verdict === "PASS" ? "passes" : "fails"}: ${found} It says nothing about other rows.`
  }
  if (low === null || high === null) {
    const why = value === "NaN" ? "the score has no value" : "there are too few rows for an interval"
    return `${gate} is ${verdict}: ${why} (value ${formatScore(value)}).`
  }
  const found = `the value is ${formatScore(value)}, between ${formatScore(low)} and ${formatScore(high)}`
  if (verdict === "PASS") return `${gate} passes: ${found}, which keeps the limit.`
  if (verdict === "FAIL") return `${gate} fails: ${found}, which breaks the limit.`
  return `${gate} is not decided: ${found}, and more rows are needed.`
}

function comparisonReasons(comparison: Comparison | null | undefined, verdict: Summary["verdict"]): readonly string[] {
  if (comparison == null || (comparison.verdict ?? "INCONCLUSIVE") !== verdict) return []
  const { scores, changes = [] } = comparison
  const pairs = scores.flatMap((score) =>
    score.decides ? score.pairs.filter((pair) => pair.verdict === verdict).map((pair) => pairReason(score, pair)) : [],
  )
  return [...changes.map((change) => `The scores are not comparable: ${markdownText(change)}`), ...pairs]
}

function pairReason({ task, metric, score }: ScoreComparison, pair: PairComparison): string {
  const { difference, interval, verdict, rows_needed: needed } = pair
  const name = markdownCode(`${task}.${metric}.${score}`)
  const range = interval === null ? "" : `, between ${signed(interval.low)} and ${signed(interval.high)}`
  const found = `the difference is ${signed(difference)}${range}`
  if (verdict === "FAIL") return `${name} is worse than the baseline: ${found}.`
  const more = needed === null ? "" : `; about ${formatInteger(needed)} rows would decide`
  return `${name} is not decided against the baseline: ${found}${more}.`
}

/** Formats a difference with its sign. */
export function signed(value: number): string {
  return value > 0 ? `+${formatScore(value)}` : formatScore(value)
}
