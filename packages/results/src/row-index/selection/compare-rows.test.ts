import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { EvaluationRow } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rowOf } from "../../testing/tiny-result.ts"
import type { PairSelection } from "./compare-rows.ts"
import { createRowTables, type RowTables } from "../open-tables.ts"

const score = (index: number, value: number | undefined, more: Partial<EvaluationRow> = {}) =>
  rowOf(index, value === undefined ? {} : { f1: { value } }, more)
const A = [
  score(0, 0.5),
  score(1, 0.9),
  score(2, 0.2, { attempt: 1 }),
  score(3, undefined, { error: { code: "rate_limited", message: "" } }),
  score(4, 0.4),
  score(2, 0.6, { attempt: 2 }),
  score(0, 1, { task: "sums" }),
]
const B = [
  score(0, 0.6),
  score(1, 0.1),
  score(2, 0.9),
  score(3, 0.7),
  score(0, 0, { repeat: 1 }),
  score(0, 1, { task: "sums" }),
  score(9, 1, { task: "sums" }),
]

let root: string
let tables: RowTables
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "row-pairs-"))
  tables = createRowTables()
  for (const [name, rows] of Object.entries({ a: A, b: B })) {
    const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
    tables.add(join(root, name), { record: 0, offset: 0, bytes })
  }
})
afterAll(() => {
  tables.close()
  rmSync(root, { recursive: true })
})

function compare(selection: Partial<PairSelection>) {
  const sort = { by: "changed", isDescending: false } as const
  const asked = { filters: [], metric: "f1", sort, offset: 0, limit: 100, ...selection }
  const { pairs = [], ...found } = tables.compare(join(root, "a"), join(root, "b"), asked) ?? {}
  return { ...found, scores: pairs.map(({ scoreA, scoreB }) => [scoreA, scoreB]) }
}

describe("the rows of two tables", () => {
  it("are those whose score is higher, lower or the same, and none without a score", () => {
    const changed = (change: "up" | "down" | "same") => compare({ change }).scores
    expect(changed("up")).toEqual([
      [0.6, 0.9],
      [0.5, 0.6],
    ])
    expect(changed("down")).toEqual([[0.9, 0.1]])
    expect(changed("same")).toEqual([[1, 1]])
    expect(compare({ change: "down" })).toMatchObject({ total: 5, matched: 1 })
  })

  it(
    "are paired by task, row and repeat with the last attempt, and others are counted",
    verifies("eval.compare.rows"),
    () => {
      expect(compare({})).toEqual({
        metric: "f1.value",
        total: 5,
        matched: 5,
        onlyA: 1,
        onlyB: 2,
        scores: [
          [0.9, 0.1],
          [0.6, 0.9],
          [0.5, 0.6],
          [1, 1],
          [Number.NaN, 0.7],
        ],
      })
      expect(compare({ task: "sums" })).toMatchObject({ total: 1, onlyA: 0, onlyB: 1 })
      expect(compare({ task: "absent" })).toMatchObject({ total: 0, onlyA: 0, onlyB: 0, scores: [] })
    },
  )

  it("are sorted by their difference in both directions, with rows without one at the end, page by page", () => {
    const [worst, best] = [false, true].map((isDescending) =>
      compare({ sort: { by: "difference", isDescending } }).scores.map(([, after]) => after),
    )
    expect([worst, best]).toEqual([
      [0.1, 1, 0.6, 0.9, 0.7],
      [0.9, 0.6, 1, 0.1, 0.7],
    ])
    expect(compare({ offset: 1, limit: 2 }).scores).toEqual([
      [0.6, 0.9],
      [0.5, 0.6],
    ])
    expect(compare({ sort: { by: "index", isDescending: true }, limit: 2 }).scores).toEqual([
      [1, 1],
      [Number.NaN, 0.7],
    ])
  })

  it("are filtered by the row of the second table", () => {
    const filters = [{ field: "score", metric: "f1", operator: "$gte", value: 0.7 } as const]
    expect(compare({ filters })).toMatchObject({ total: 5, matched: 3, onlyA: 1, onlyB: 2 })
    expect(() => compare({ metric: "recall" })).toThrow("No row has the score 'recall'")
  })
})
