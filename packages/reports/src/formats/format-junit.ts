import type { Condition, EvaluationResult } from "@assay/schemas"
import { xml } from "@assay/guardrails"
import type { GateOutcome } from "./check-gates.ts"
import { formatScore } from "./format-score.ts"
import { listScores, type NamedScore } from "./list-scores.ts"
import type { ResultsInput } from "./results-input.ts"

export interface JunitInput extends Pick<ResultsInput, "job" | "status" | "message" | "conditions"> {
  readonly result: EvaluationResult | null
  readonly gates: readonly GateOutcome[]
}

interface TestCase {
  readonly suite: string
  readonly name: string
  readonly outcome?: {
    readonly kind: "failure" | "error" | "skipped"
    readonly message: string
    readonly type?: string
  }
  readonly details?: string
}

/**
 * `junit.xml` as CI servers read it: a test case for each gate (FAIL is a failure, INCONCLUSIVE is skipped), or for each metric
 * where there are none; one for each condition, which failed; and one for the job, an error unless it was completed.
 */
export function formatJunit(input: JunitInput): string {
  const cases = [jobCase(input), ...scoreCases(input), ...input.conditions.map(conditionCase)]
  const count = (kind: string, of: readonly TestCase[]) => of.filter(({ outcome }) => outcome?.kind === kind).length
  const counts = (of: readonly TestCase[]) =>
    `tests="${of.length}" failures="${count("failure", of)}" errors="${count("error", of)}" skipped="${count("skipped", of)}"`
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)].map(([name, of]) =>
    [`  <testsuite name="${xml(name)}" ${counts(of)}>`, ...of.map(testCase), "  </testsuite>"].join("\n"),
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(input.job.id)}" ${counts(cases)}>`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n")
}

function jobCase({ job, status, message }: JunitInput): TestCase {
  const one = { suite: "job", name: job.id }
  return status === "COMPLETED" ? one : { ...one, outcome: { kind: "error", type: status, message } }
}

function scoreCases({ result, gates }: JunitInput): readonly TestCase[] {
  if (gates.length > 0) return gates.map(gateCase)
  if (result === null) return []
  const metrics = Map.groupBy(listScores(result), ({ task, metric }) => JSON.stringify([task, metric]))
  return [...metrics.values()].flatMap((scores) => metricCase(scores))
}

function gateCase({ name, limit, value, low, high, verdict }: GateOutcome): TestCase {
  const one = { suite: "gates", name: `${name} ${limit}` }
  if (verdict === "PASS") return one
  const range =
    low === null
      ? "has no interval, because there are too few rows or all are the same"
      : `lies between ${formatScore(low)} and ${formatScore(high)}`
  const message = `${verdict}: ${name} is ${formatScore(value)} and ${range}, the limit is ${limit}`
  return { ...one, outcome: { kind: verdict === "FAIL" ? "failure" : "skipped", message, type: "gate" } }
}

function metricCase(scores: readonly NamedScore[]): readonly TestCase[] {
  const [first] = scores
  if (first === undefined) return []
  const details = scores.map(({ score, found: { value, stats } }) => {
    const interval = stats?.interval
    const range = interval ? ` (${formatScore(interval.low)} to ${formatScore(interval.high)})` : ""
    const counts = stats
      ? `: ${stats.scored} scored, ${stats.unreadable} unreadable, ${stats.errored} errored, ${stats.skipped} skipped`
      : ""
    return `${score} ${formatScore(value)}${range}${counts}`
  })
  const one = { suite: first.task, name: first.metric, details: details.join("\n") }
  const isScored = scores.some(({ found: { value } }) => value !== "NaN")
  return [isScored ? one : { ...one, outcome: { kind: "failure", type: "metric", message: "nothing was scored" } }]
}

function conditionCase({ code, title, message, evidence, remedy, count }: Condition): TestCase {
  return {
    suite: "conditions",
    name: code,
    outcome: { kind: "failure", type: code, message: `${title}: ${message}` },
    details: [`${count} times`, ...evidence, remedy].join("\n"),
  }
}

function testCase({ suite, name, outcome, details }: TestCase): string {
  const start = `    <testcase classname="${xml(suite)}" name="${xml(name)}"`
  if (outcome === undefined) {
    return details === undefined
      ? `${start}/>`
      : `${start}>\n      <system-out>${xml(details)}</system-out>\n    </testcase>`
  }
  const { kind, type, message } = outcome
  const attributes = `${type === undefined ? "" : `type="${xml(type)}" `}message="${xml(message)}"`
  return `${start}>\n      <${kind} ${attributes}>${xml(details ?? "")}</${kind}>\n    </testcase>`
}
