import { AssayError, type Condition, type EvaluationRow } from "@assay/schemas"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createConditionFinder } from "./create-condition-finder.ts"
import { rowOf, unreadableRow } from "../testing/row-of.ts"

const URL = "http://m:1/v1"

/** The events of one row. */
interface Event {
  readonly row: EvaluationRow
  readonly error?: AssayError
  readonly retries: number
}

function eventOf(index: number): Event {
  const task = index % 4 === 0 ? "other" : "qa"
  const retries = index % 3
  if (index % 5 === 1) {
    const advice = index % 2 === 0 ? `ask again after row ${index}` : undefined
    const message = `${URL} answers 429 to row ${index % 7}; wait.`
    const error = new AssayError("rate_limited", message, { context: { url: URL, advice } })
    return { row: { ...rowOf(index, { error: { code: error.code, message } }), task }, error, retries }
  }
  if (index % 5 === 2)
    return { row: { ...unreadableRow(index, index % 2 ? "refusal" : "no_verdict", `hm ${index}`), task }, retries }
  return { row: { ...rowOf(index), task }, retries }
}

const EVENTS = Array.from({ length: 60 }, (_, index) => eventOf(index))
const retryOf = ({ row_index }: EvaluationRow) =>
  new AssayError("server_overloaded", `${URL} answers 503 to row ${row_index % 13}.`, {
    context: { url: URL, status: 503 },
  })

function addTo(finder: ReturnType<typeof createConditionFinder>, events: readonly Event[], isNew: boolean): void {
  for (const { row, error, retries } of events) {
    if (isNew && error !== undefined) finder.addError(error, { row })
    finder.addRow(row)
    if (isNew) for (let at = 0; at < retries; at++) finder.addRetry(retryOf(row), row)
  }
}

const newFinder = () => createConditionFinder({ now: () => 0, tasks: ["qa", "other"] })
const withoutTimes = (conditions: readonly Condition[]) =>
  conditions.map(({ first_seen: _first, last_seen: _last, ...condition }) => condition)

function inOneProcess(events: readonly Event[]): readonly unknown[] {
  const finder = newFinder()
  addTo(finder, events, true)
  return withoutTimes(finder.list())
}

describe("the conditions of a job", () => {
  it("are several, so that the next tests compare something", () => {
    expect(inOneProcess(EVENTS).length).toBeGreaterThan(3)
  })

  it("do not depend on the order in which rows were answered", () => {
    const shuffled = fc.shuffledSubarray(EVENTS, { minLength: EVENTS.length, maxLength: EVENTS.length })
    fc.assert(
      fc.property(shuffled, (events) => {
        expect(inOneProcess(events)).toEqual(inOneProcess(EVENTS))
      }),
    )
  })

  it("are those of one process if several processes asked the rows and a merge reads them", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 60, maxLength: 60 }), (shards) => {
        const findings = [0, 1, 2, 3, 4].map((shard) => {
          const finder = newFinder()
          addTo(finder, EVENTS.filter((_, at) => shards[at] === shard).toReversed(), true)
          return JSON.parse(JSON.stringify(finder.findings())) as ReturnType<typeof finder.findings>
        })
        const merged = newFinder()
        for (const found of findings) merged.addFindings(found)
        addTo(merged, EVENTS, false)
        expect(withoutTimes(merged.list())).toEqual(inOneProcess(EVENTS))
      }),
    )
  })
})
