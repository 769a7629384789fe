import { createRowGroups } from "@assay/metrics"
import type { EvaluationRow, EvaluationSample } from "@assay/schemas"
import { exactNumber } from "@assay/json"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createConditionFinder } from "@assay/results"
import { createSliceColumn } from "../engine/tally/slice-column.ts"
import { formatRequests } from "@assay/results/testing"
import { collectFacts } from "./collect-facts.ts"
import { openFacts } from "./read-facts.ts"

const name = fc.constantFrom("a", "b", "c", "a.b", "a.b.c", "__proto__", "constructor")
const leaf = fc.oneof(
  fc.string(),
  // JSON has no infinite numbers.
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(exactNumber("1.50")),
  fc.boolean(),
  fc.constant(null),
)
const { item } = fc.letrec<{ item: object; value: unknown }>((tie) => ({
  item: fc.dictionary(name, tie("value"), { maxKeys: 4 }),
  value: fc.oneof({ maxDepth: 3 }, leaf, tie("item"), fc.array(leaf, { maxLength: 2 })),
}))
const score = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant("NaN" as const))
/** Names of metrics and scores. */
const metric = fc.constantFrom("right", "a.b", "length", "__proto__")
const texts = fc.dictionary(metric, fc.string(), { maxKeys: 2 })
const toolCall = { choices: [{ message: { tool_calls: [{ id: "1" }] } }] }
const sample: fc.Arbitrary<EvaluationSample> = fc.record({
  output_text: fc.oneof(
    fc.string(),
    fc.constant(null),
    fc.constant(` ${"x ".repeat(150)}`),
    fc.string({ minLength: 250 }),
  ),
  response: fc.constantFrom(null, {}, toolCall),
  usage: fc.oneof(fc.constant(null), fc.constant({ prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 })),
  latency_ms: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), fc.constant(null)),
  finish_reason: fc.constantFrom("stop", "length", null),
})
const row: fc.Arbitrary<EvaluationRow> = fc.record({
  task: fc.constant("t"),
  row_index: fc.nat(20),
  repeat: fc.nat(2),
  attempt: fc.integer({ min: 1, max: 3 }),
  item: item.map((one) => one as EvaluationRow["item"]),
  sample: fc.oneof(sample, fc.constant(null)),
  scores: fc.dictionary(metric, fc.dictionary(metric, score, { maxKeys: 3 }), { maxKeys: 3 }),
  error: fc.oneof(fc.constant(null), fc.record({ code: fc.constantFrom("timeout", "internal"), message: fc.string() })),
})
const optional = fc.record(
  {
    labels: fc.dictionary(metric, texts),
    unreadable: fc.dictionary(metric, fc.record({ reason: fc.oneof(name, fc.string()), raw: fc.string() })),
  },
  { requiredKeys: [] },
)
const rows = fc
  .array(fc.tuple(row, optional), { maxLength: 30 })
  .map((all) => all.map(([one, more]) => ({ ...one, ...more })))

function factsOf(all: readonly EvaluationRow[], fields: readonly string[]): readonly EvaluationRow[] {
  const collector = collectFacts("t", fields)
  for (const one of all) collector.add(one)
  return [...(openFacts(collector.text() ?? "", fields) ?? expect.fail("They can't be read."))].flat()
}

function conditionsOf(all: readonly EvaluationRow[]) {
  const finder = createConditionFinder({ now: () => 0 })
  for (const one of all) finder.addRow(one)
  return finder.list()
}

describe("the facts of rows", () => {
  it("keep the numbers, labels and errors of each row in their order", () => {
    const numbersOf = ({ sample: answer, ...others }: EvaluationRow) => ({
      ...others,
      item: {},
      usage: answer?.usage ?? null,
      hasSample: answer !== null,
    })
    fc.assert(
      fc.property(rows, (all) => {
        // As a journal gives them back.
        const written = all.map((one) => JSON.parse(JSON.stringify(one)) as EvaluationRow)
        const facts = factsOf(all, [])
        expect(facts.map(numbersOf)).toEqual(written.map(numbersOf))
        const orderOf = (found: readonly EvaluationRow[]) => JSON.stringify(found.map(({ scores }) => scores))
        expect(orderOf(facts)).toBe(orderOf(written))
      }),
    )
  })

  it("keep what conditions and the log of requests say", () => {
    fc.assert(
      fc.property(rows, (all) => {
        const facts = factsOf(all, [])
        expect(conditionsOf(facts)).toEqual(conditionsOf(all))
        expect(formatRequests(facts)).toBe(formatRequests(all))
      }),
    )
  })

  it("keep the columns by which rows are split, and the groups of rows", () => {
    fc.assert(
      fc.property(rows, fc.uniqueArray(name, { minLength: 1 }), (all, fields) => {
        const facts = factsOf(all, fields)
        for (const field of fields) {
          const [groups, groupsOfFacts] = [createRowGroups(field), createRowGroups(field)]
          expect(facts.map((one) => groupsOfFacts.of(one))).toEqual(all.map((one) => groups.of(one)))
          const [column, columnOfFacts] = [createSliceColumn(field), createSliceColumn(field)]
          for (const one of all) column.add(one)
          for (const one of facts) columnOfFacts.add(one)
          const [found, foundInFacts] = [column.result(), columnOfFacts.result()]
          expect(foundInFacts.slices).toEqual(found.slices)
          expect(all.map((one) => foundInFacts.sliceOf(one.row_index))).toEqual(
            all.map((one) => found.sliceOf(one.row_index)),
          )
        }
      }),
    )
  })

  const one: EvaluationRow = {
    task: "t",
    row_index: 0,
    repeat: 0,
    attempt: 1,
    item: { topic: "a" },
    sample: null,
    scores: { m: { s: 1 } },
    error: null,
  }

  it("are not used for fields that they do not have, or in another form", () => {
    const collector = collectFacts("t", ["topic"])
    collector.add(one)
    const text = collector.text() ?? ""
    expect([...(openFacts(text, ["topic"]) ?? [])]).toEqual([[{ ...one, item: { topic: "a" } }]])
    expect(openFacts(text, ["topic", "kind"])).toBeUndefined()
    expect(openFacts(text.replace('"version":1', '"version":2'), [])).toBeUndefined()
  })

  it("fail with content_damaged if they are damaged", () => {
    const collector = collectFacts("t", [])
    collector.add(one)
    const text = collector.text() ?? ""
    expect(() => openFacts(text.slice(1), [])).toThrow(expect.objectContaining({ code: "content_damaged" }))
    for (const [column, found] of [
      ["scores", "[1]"],
      ["commonOf", "[0]"],
      ["attempts", "[1]"],
    ]) {
      const damaged = text.replace(`"${column}":${found}`, `"${column}":[]`)
      expect(damaged).not.toBe(text)
      expect(() => [...(openFacts(damaged, []) ?? [])]).toThrow(expect.objectContaining({ code: "content_damaged" }))
    }
  })

  it("are given up if they are long", () => {
    const collector = collectFacts("t", ["topic"])
    for (let at = 0; at < 10; at++) collector.add({ ...one, item: { topic: `${at}${"x".repeat(1_000_000)}` } })
    expect(collector.text()).toBeUndefined()
  })
})
