import type { EvaluationConfigBody, EvaluationTargetBody, JobGate } from "@assay/schemas"
import { expect, it } from "vitest"
import { shapePlan } from "./shape-plan.ts"

const GATE: JobGate = { task: "qa", metric: "same", op: ">=", value: 0.8, stop: "early" }
const TARGET: EvaluationTargetBody = { type: "rows", rows: [{ output: "yes" }] }

function issuesOf(part: object): readonly string[] {
  const same = { type: "string-check", params: { check: ["{{ sample.output_text }}", "equals", "yes"] } }
  const gate = { ...GATE, ...part }
  const config: EvaluationConfigBody = {
    type: "custom",
    params: { gates: [gate] },
    tasks: { qa: { type: "data", metrics: { same } } },
  }
  return shapePlan(TARGET, config).issues.map(({ message }) => message)
}

it.each<readonly [object, string]>([
  [{ task: "qb" }, "config.params.gates.0.task: 'qb' is not a task of this configuration; there is qa."],
  [{ metric: "sam" }, "config.params.gates.0.metric: task 'qa' has no metric 'sam'; there is same."],
  [{ score: "x" }, "config.params.gates.0.score: 'x' is not a score of metric 'same'; there is string-check."],
  [
    { value: 80 },
    'config.params.gates.0.value: 80 is not within [0, 1]; give the lowest and the highest value of a row as "range".',
  ],
  [
    { stop: "never", population: "unlimited" },
    'config.params.gates.0.population: "unlimited" is only possible with "stop": "early" and a limit.',
  ],
  [{ range: [1, 0] }, "config.params.gates.0.range: [1, 0] is not a range; give the lowest value first."],
  [
    { stop: "never", alpha: 0.1 },
    'config.params.gates.0.alpha: 0.1 is only possible with "stop": "early"; other gates have 0.05.',
  ],
  [
    { against: "a" },
    'config.params.gates.0.against: a gate has either "op" and "value" or "against"; give "margin" to allow a loss.',
  ],
  [
    { corrected: true },
    'config.params.gates.0.corrected: is not possible with "stop": "early": the labels are read when all rows are scored.',
  ],
  [
    { corrected: true, stop: "never" },
    "config.params.gates.0.corrected: metric 'same' has no \"labels\"; name the labels of people that correct it.",
  ],
  [
    { on_these_rows: true },
    'config.params.gates.0.on_these_rows: is not possible with "stop": "early": it is decided when all rows are scored.',
  ],
  [
    { on_these_rows: true, stop: "never", corrected: true },
    'config.params.gates.0.on_these_rows: is not possible with "corrected", which is an estimate with an interval.',
  ],
  [
    { stop: "never", value: 80 },
    "config.params.gates.0.value: the limit 80 is outside of the scale of 'same.string-check', which is from 0 to 1; write same.string-check >= 0.8.",
  ],
  [{ margin: 0.1 }, 'config.params.gates.0.margin: 0.1 is only possible with "against".'],
  [{ op: undefined }, 'config.params.gates.0.op: give "op" and "value", or "against".'],
  [
    { op: undefined, value: undefined, against: "a", margin: 2 },
    "config.params.gates.0.margin: 2 is more than values within [0, 1] can differ.",
  ],
  [
    { op: undefined, value: undefined, against: "a", stop: "never" },
    'config.params.gates.0.against: needs "stop": "early"; to compare jobs that have ended, use a comparison.',
  ],
])("A gate is refused that has %j", (part, message) => {
  expect(issuesOf({})).toEqual([])
  expect(issuesOf(part)).toEqual([message])
})

it("refuses gates of a benchmark that its harness can't obey", () => {
  const gate = { task: "gpqa", metric: "accuracy" }
  const limit = { ...gate, op: ">=", value: 0.8 } as const
  const gates: JobGate[] = [limit, { ...limit, stop: "early" }, { ...gate, against: "a", stop: "never" }, gate]
  const { issues } = shapePlan(TARGET, { type: "benchmark", params: { gates } })
  const why = "is not possible for a benchmark, whose harness asks its rows by itself."
  expect(issues.map(({ message }) => message)).toEqual([
    `config.params.gates.1.stop: ${why}`,
    `config.params.gates.2.against: ${why}`,
    'config.params.gates.3.op: give "op" and "value", or "against".',
  ])
})
