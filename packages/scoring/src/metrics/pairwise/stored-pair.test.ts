import type { EvaluationRow } from "@assay/schemas"
import { expect, it } from "vitest"
import { storedPair } from "./stored-pair.ts"

const sample = { output_text: "the answer", response: null, finish_reason: null } as unknown as EvaluationRow["sample"]
const row = (more: Partial<EvaluationRow> = {}): EvaluationRow => ({
  task: "qa",
  row_index: 0,
  repeat: 0,
  attempt: 1,
  item: { old: "the old one" },
  sample,
  scores: {},
  error: null,
  ...more,
})

it("a stored row has the two answers that a judge of pairs compared", () => {
  const byTemplate = { key: "pair", params: { against: "{{ item.old }}" } }
  expect(storedPair(byTemplate, row())).toEqual({ a: "the answer", b: "the old one" })
  const byJob = { key: "pair", params: { against: { job: "eval-1" }, candidate: "{{ item.old }}" } }
  expect(storedPair(byJob, row({ compared_with: { pair: "of the job" } }))).toEqual({
    a: "the old one",
    b: "of the job",
  })
})

it("a row without one of the answers has no pair", () => {
  expect(storedPair({ key: "pair", params: { against: { job: "eval-1" } } }, row())).toBeUndefined()
  expect(storedPair({ key: "pair", params: { against: "{{ item.gone }}" } }, row())).toBeUndefined()
  expect(storedPair({ key: "pair", params: { against: "{{ item.old }}" } }, row({ sample: null }))).toBeUndefined()
  expect(storedPair({ key: "pair", params: {} }, row())).toBeUndefined()
})
