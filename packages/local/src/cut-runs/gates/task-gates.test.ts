import { earlyGates, type TaskPlan } from "@assay/evaluation"
import { createRandom } from "@assay/metrics"
import { rowOrder } from "@assay/results"
import { rowOf } from "@assay/results/testing"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { lanesOf } from "../cut-rows.ts"
import { isLane, type LaneRange } from "@assay/executors"
import { createTaskGates } from "./task-gates.ts"

type PlannedGate = NonNullable<TaskPlan["early"]>["gates"][number]
type GateReferences = Parameters<typeof earlyGates.createWatch>[2]["references"]

function gateOf(score: string, over: Partial<PlannedGate> = {}): PlannedGate {
  const name = `qa.check.${score}`
  return {
    name,
    scoreName: name,
    task: "qa",
    metric: "check",
    score,
    limit: { atLeast: 0.8 },
    isEarly: true,
    isCorrected: false,
    isOnTheseRows: false,
    alpha: 0.05,
    range: [0, 1],
    higherIsBetter: true,
    ...over,
  }
}

const AGAINST = gateOf("ok", { name: "gain", limit: { atLeast: -0.1 }, range: [-1, 1], against: "./before" })
const GATES = [gateOf("ok"), gateOf("short", { limit: { atMost: 0.4 } }), AGAINST]
const REFERENCES: GateReferences = new Map([[AGAINST, ({ row_index: row }) => (row % 7 === 0 ? undefined : row % 2)]])

interface Setting {
  readonly rows: number
  readonly shards: number
  readonly atOnce: number
  readonly repeats: number
  readonly gates: readonly PlannedGate[]
  readonly seed: number
  /** The mean of the first score. */
  readonly mean: number
}

const SETTING: fc.Arbitrary<Setting> = fc.record({
  rows: fc.integer({ min: 1, max: 200 }),
  shards: fc.integer({ min: 1, max: 9 }),
  atOnce: fc.integer({ min: 1, max: 9 }),
  repeats: fc.integer({ min: 1, max: 3 }),
  gates: fc.subarray(GATES, { minLength: 1 }),
  seed: fc.nat(1_000_000),
  mean: fc.constantFrom(0.3, 0.75, 0.97),
})

/** The rows of a task in shards of different speeds, and the same rows in one process. */
function openRun({ rows, shards: wanted, atOnce, repeats, gates, seed, mean }: Setting) {
  const random = createRandom(seed)
  const shards = Math.min(wanted, rows)
  const cut = lanesOf([{ task: "qa", rows, repeats, isEarly: true }], shards, Math.min(atOnce, shards))
  const ranges = cut.map((own) => own.find((range) => isLane(range)))
  const lanes = new Map<number, LaneRange>(ranges.flatMap((range, shard) => (range ? [[shard, range]] : [])))
  const order = rowOrder.create(rows, seed)
  const basis = { order, references: REFERENCES }
  const whole = earlyGates.createWatch({ metrics: [], repeats }, gates, basis, () => {})
  const shared = [...ranges.keys()].map((shard) =>
    createTaskGates({ shard, task: "qa", number: 0, gates, repeats, lanes, ...basis }),
  )
  const numbers = Array.from({ length: rows }, (_, row) => row).toSorted(
    (a, b) => (order.positionOf(a) ?? 0) - (order.positionOf(b) ?? 0),
  )
  const value = (share: number) => (random() < share ? 1 : 0)
  const waiting = ranges.map((range) => {
    if (range === undefined) return []
    const own = numbers.filter((_, at) => {
      const turn = (at - range.firstPosition) / range.step
      return turn >= 0 && Number.isInteger(turn) && at < range.endPosition
    })
    return own.flatMap((row) =>
      Array.from({ length: repeats }, (_, repeat) => {
        if (random() < 0.03)
          return rowOf(row, {}, { task: "qa", repeat, sample: null, error: { code: "x", message: "" } })
        return rowOf(row, { check: { ok: value(mean), short: value(1 - mean) } }, { task: "qa", repeat })
      }),
    )
  })
  return { random, whole, shared, waiting }
}

it(
  "Shards decide gates by the same rows as one process, in whichever order they answer",
  verifies("units.gates"),
  () => {
    let decided = 0
    fc.assert(
      fc.property(SETTING, (setting) => {
        const { random, whole, shared, waiting } = openRun(setting)
        while (waiting.some((rows) => rows.length > 0)) {
          const shard = Math.floor(random() * waiting.length)
          // Answers of a shard come in another order than they were asked.
          const rows = waiting[shard]?.splice(0, 1 + Math.floor(random() * 8)).toReversed() ?? []
          for (const row of rows) {
            shared[shard]?.note(row)
            whole.add(row)
          }
          for (const { part, units } of shared[shard]?.changed() ?? []) for (const one of shared) one.take(part, units)
          expect(shared.map((one) => one.areDecided())).toEqual(shared.map(() => whole.isDecided))
          if (whole.isDecided) {
            decided++
            return
          }
        }
      }),
      { numRuns: 60 },
    )
    expect(decided).toBeGreaterThan(20)
  },
)

it("A unit that is asked again does not decide with its value before", () => {
  const setting = { rows: 60, shards: 2, atOnce: 2, repeats: 1, gates: [gateOf("ok")], seed: 1, mean: 0 }
  const { whole, shared, waiting } = openRun(setting)
  const [first, second] = shared
  if (first === undefined || second === undefined) throw new Error("no shards")
  const exchange = () => {
    for (const from of shared)
      for (const { part, units } of from.changed()) for (const to of shared) to.take(part, units)
  }
  const error = { code: "unavailable", message: "The endpoint was down." }
  const [failed, ...others] = waiting[0] ?? []
  if (failed === undefined) throw new Error("no rows")
  first.note({ ...failed, scores: {}, sample: null, error })
  for (const row of [...others, ...(waiting[1] ?? [])]) (others.includes(row) ? first : second).note(row)
  exchange()
  expect(second.areDecided()).toBe(true)
  // It is the first row of the order, so that nothing is decided without it.
  first.forgetFailed()
  exchange()
  expect([first.areDecided(), second.areDecided()]).toEqual([false, false])
  first.note(failed)
  exchange()
  for (const row of waiting.flat()) whole.add(row)
  expect([first.areDecided(), second.areDecided()]).toEqual([whole.isDecided, whole.isDecided])
})
