import { formatJunit, formatScore, scoreInterval, type JunitCase, verdictWord } from "@assay/reports"
import type { Condition, EvaluationResult } from "@assay/schemas"
import type { ResultsInput } from "../results-input.ts"
import type { GateOutcome } from "../scores/check-gates.ts"
import { listScores, type NamedScore } from "../scores/list-scores.ts"

export interface JobJunitInput extends Pick<ResultsInput, "job" | "status" | "message" | "conditions"> {
  readonly result: EvaluationResult | null
  readonly gates: readonly GateOutcome[]
}

/** A job of a report. The label tells several jobs of one file apart. */
export interface LabelledJunit {
  readonly label?: string | undefined
  readonly input: JobJunitInput
}

/**
 * Formats `junit.xml` with these test cases of each job: one for the job, which is an error unless the job was completed; one for each
 * gate (FAIL is a failure, INCONCLUSIVE is skipped), or for each metric if there are no gates; and one for each condition,
 * which is always a failure.
 */
export function formatJobJunit(jobs: readonly LabelledJunit[]): string {
  const suites = jobs.flatMap(suitesOf)
  return formatJunit({ name: jobs.map(({ input }) => input.job.id).join(", "), suites })
}

function suitesOf({ label, input }: LabelledJunit): Parameters<typeof formatJunit>[0]["suites"] {
  const cases = [jobCase(input), ...scoreCases(input), ...input.conditions.map(conditionCase)]
  const named = label === undefined ? cases : cases.map((one) => ({ ...one, className: `${label}: ${one.className}` }))
  return [...Map.groupBy(named, ({ className }) => className)].map(([name, of]) => ({ name, cases: of }))
}

function jobCase({ job, status, message }: JobJunitInput): JunitCase {
  const one = { className: "job", name: job.id }
  return status === "COMPLETED" ? one : { ...one, outcome: { kind: "error", type: status, message }, details: "" }
}

function scoreCases({ result, gates }: JobJunitInput): readonly JunitCase[] {
  if (gates.length > 0) return gates.map(gateCase)
  if (result === null) return []
  const metrics = Map.groupBy(listScores(result), ({ task, metric }) => JSON.stringify([task, metric]))
  return [...metrics.values()].flatMap((scores) => metricCase(scores))
}

function gateCase({ name, limit, value, low, high, verdict, reason, on_these_rows }: GateOutcome): JunitCase {
  const one = { className: "gates", name: `${name} ${limit}` }
  if (verdict === "PASS") return one
  const range = on_these_rows
    ? "is compared without an interval"
    : low === null
      ? "has no interval, because there are too few rows or all are the same"
      : `lies between ${formatScore(low)} and ${formatScore(high)}`
  const message = `${verdictWord(verdict)}: ${name} is ${formatScore(value)} and ${range}, the limit is ${limit}${reason === undefined ? "" : `; ${reason}`}`
  return { ...one, outcome: { kind: verdict === "FAIL" ? "failure" : "skipped", message, type: "gate" }, details: "" }
}

function metricCase(scores: readonly NamedScore[]): readonly JunitCase[] {
  const [first] = scores
  if (first === undefined) return []
  const details = scores.map(({ score, found }) => {
    const { value, stats } = found
    const interval = scoreInterval(found)
    const range = interval ? ` (${formatScore(interval.low)} to ${formatScore(interval.high)})` : ""
    const counts = stats
      ? `: ${stats.scored} scored, ${stats.unreadable} unreadable, ${stats.errored} errored, ${stats.skipped} skipped`
      : ""
    return `${score} ${formatScore(value)}${range}${counts}`
  })
  const one = { className: first.task, name: first.metric, details: details.join("\n") }
  const isScored = scores.some(({ found: { value } }) => value !== "NaN")
  return [isScored ? one : { ...one, outcome: { kind: "failure", type: "metric", message: "nothing was scored" } }]
}

function conditionCase({ code, title, message, evidence, remedy, count }: Condition): JunitCase {
  return {
    className: "conditions",
    name: code,
    outcome: { kind: "failure", type: code, message: `${title}: ${message}` },
    details: [`${count} times`, ...evidence, remedy].join("\n"),
  }
}
