import type { JobGateState } from "@assay/schemas"
import { expect, it } from "vitest"
import { resultOf, summaryOf } from "@assay/results/testing"
import { describeAllAsked, gateStates } from "./gate-states.ts"
import type { PlannedGate } from "./plan-gates.ts"
import { plannedGate as gate } from "../testing/planned-gate.ts"

const state = (metric: string, decided_after: number | null): JobGateState => ({
  name: `qa.${metric}.s`,
  limit: ">= 0.8",
  value: 0.8,
  low: 0.7,
  high: 0.9,
  verdict: "INCONCLUSIVE",
  stop: "early",
  alpha: 0.05,
  decided_after,
})

it.each<[string, readonly PlannedGate[], readonly JobGateState[], string]>([
  ["is not early", [gate("a"), gate("b", { isEarly: false })], [], '\'qa.b.s >= 0.8\' has no "stop": "early"'],
  [
    "is about these rows",
    [gate("a"), gate("b", { isEarly: false, isOnTheseRows: true })],
    [],
    "the gate 'qa.b.s >= 0.8 on these rows' needs all of them",
  ],
  [
    "has a value out of range",
    [gate("a"), gate("b")],
    [state("a", 20)],
    "'qa.b.s >= 0.8' had a value that is not within [0, 1]",
  ],
  [
    "is not decided",
    [gate("a"), gate("b")],
    [state("a", 20), state("b", null)],
    "do not decide the gate 'qa.b.s >= 0.8'",
  ],
  [
    "is decided last",
    [gate("a"), gate("b")],
    [state("a", 20), state("b", 398)],
    "'qa.b.s >= 0.8' was decided after 398 rows",
  ],
])("a job that asked all rows names the gate that %s", (_what, planned, gates, said) => {
  expect(describeAllAsked(planned, { gates })).toContain(said)
})

it("a job that ended early, or has no early gate, gives no reason", () => {
  const stoppedEarly = { rows: 20, rows_total: 400, order_seed: 1 }
  expect(describeAllAsked([gate("a")], { gates: [state("a", 20)], stoppedEarly })).toBeUndefined()
  expect(describeAllAsked([gate("a", { isEarly: false })], {})).toBeUndefined()
  // A gate of another task does not keep this one from its end.
  expect(
    describeAllAsked([gate("a"), gate("b", { isEarly: false, task: "other" })], { gates: [state("a", null)] }),
  ).toContain("'qa.a.s >= 0.8'")
})

it("an early gate is INCONCLUSIVE with a reason if too many of the asked rows have no score", () => {
  const found = resultOf({ task: "qa", metrics: { a: { s: summaryOf([1, 1, 1, "NaN"]) } } })
  const passed: JobGateState = { ...state("a", 3), verdict: "PASS" }
  const gainGate = gate("a", { name: "qa.a.s gain over before" })
  const states = gateStates([gate("a"), gainGate], { gates: [passed, { ...passed, name: gainGate.name }] }, found)
  const reason = "1 of 4 rows have no score (25 %), and max_unscored is 5 %."
  expect(states).toMatchObject([
    { verdict: "INCONCLUSIVE", reason },
    { verdict: "INCONCLUSIVE", reason },
  ])
  expect(gateStates([gate("a", { maxUnscored: 0.3 })], { gates: [passed] }, found)).toEqual([passed])
})

it("a gate on these rows is decided by all of them, without a probability of a wrong verdict", () => {
  const found = resultOf({ task: "qa", metrics: { a: { s: summaryOf([1, 1, 1, "NaN"]) } } })
  const own = gate("a", { isEarly: false, isOnTheseRows: true })
  expect(gateStates([own], {}, found)).toEqual([
    {
      name: "qa.a.s",
      limit: ">= 0.8 on these rows",
      value: 1,
      low: null,
      high: null,
      verdict: "FAIL",
      reason: "1 of 4 rows has no score.",
      on_these_rows: true,
      stop: "never",
      alpha: 0,
      decided_after: null,
    },
  ])
})

it("gates that are given to a job are decided together with those of its configuration", () => {
  const scores = Array.from({ length: 10 }, (_, row) => Number(row !== 3))
  const result = resultOf({ task: "qa", metrics: { a: { s: summaryOf(scores) } } })
  const planned = [gate("a", { isEarly: false, limit: { atLeast: 0.57 } })]
  const given = { name: "qa.a", limit: { atLeast: 0.56 } }
  expect(gateStates(planned, {}, result)).toMatchObject([{ verdict: "PASS" }])
  expect(gateStates([], {}, result, [given])).toMatchObject([{ verdict: "PASS", stop: "never", alpha: 0.05 }])
  const [first, second] = gateStates(planned, {}, result, [given])
  expect([first?.verdict, second?.verdict]).toEqual(["INCONCLUSIVE", "INCONCLUSIVE"])
  const [unknown] = gateStates([], {}, result, [{ ...given, name: "qa.b" }])
  expect(unknown).toMatchObject({
    verdict: "INCONCLUSIVE",
    reason: "the results have no score 'qa.b'; their scores are qa.a.s.",
  })
})
