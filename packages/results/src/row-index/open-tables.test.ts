import { createRowOrder } from "../rows/random-row-order.ts"
import type { RowsSoFar } from "./selection/summarize-rows.ts"
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { EvaluationRow, RowSort } from "@assay/schemas"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rowOf } from "../testing/tiny-result.ts"
import { createRowTables, type RowTables } from "./open-tables.ts"
import type { ColumnFilter } from "./selection/match-rows.ts"
import type { RowSelection } from "./selection/select-rows.ts"

let root: string
let folders = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "row-tables-"))
})
afterAll(() => rmSync(root, { recursive: true }))

const newFolder = () => join(root, String(folders++))
const linesOf = (rows: readonly EvaluationRow[]) => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""))

/** Adds rows to a table in pieces of `size` rows, and opens the table again after each. Returns the journal. */
function fill(folder: string, rows: readonly EvaluationRow[], size: number): Buffer {
  for (let start = 0; start < rows.length; start += size) {
    const tables = createRowTables()
    const { offset } = tables.position(folder)
    tables.add(folder, { record: 0, offset, bytes: linesOf(rows.slice(start, start + size)) })
    tables.save(folder)
    tables.close()
  }
  return linesOf(rows)
}

function selectIn(tables: RowTables, folder: string, query: RowSelection, other?: string) {
  const page = tables.select(folder, query, { other })
  if (page === undefined) throw new Error("A selection without texts needs no search.")
  return page
}

function keysOf(journal: Buffer, tables: RowTables, folder: string, query: RowSelection) {
  const { rows, total, matched } = selectIn(tables, folder, query)
  const keys = rows.map(({ start, length }) => {
    const row = JSON.parse(journal.toString("utf8", start, start + length)) as EvaluationRow
    return keyOf(row)
  })
  return { keys, total, matched }
}
const keyOf = ({ task, row_index, repeat, attempt }: EvaluationRow) => [task, row_index, repeat, attempt].join(" ")

const score = fc.constantFrom<number | "NaN">(0, 0.5, 1, 2, "NaN")
const anyRow = fc
  .record({
    task: fc.constantFrom("qa", "zürich"),
    row_index: fc.nat({ max: 12 }),
    repeat: fc.nat({ max: 1 }),
    quality: score,
    length: fc.option(score, { nil: undefined }),
    latency: fc.option(fc.nat({ max: 3 })),
    code: fc.constantFrom(null, "rate_limited", "bad_response"),
    text: fc.constantFrom("Ein Fluß 🙂", "refund", "REFUND now"),
  })
  .map(({ task, row_index, repeat, quality, length, latency, code, text }) => {
    const sample = { output_text: text, response: null, usage: null, latency_ms: latency, finish_reason: "stop" }
    const scores = { quality: { value: quality }, ...(length === undefined ? {} : { length: { words: length } }) }
    const error = code === null ? null : { code, message: "" }
    return rowOf(row_index, code === null ? scores : {}, { task, repeat, sample, error })
  })
const isDescending = fc.boolean()
const anySort: fc.Arbitrary<RowSort> = fc.oneof(
  fc.record({ by: fc.constantFrom("index" as const, "latency" as const), isDescending }),
  fc.record({ by: fc.constant("score" as const), metric: fc.constant("quality.value"), isDescending }),
)
const anyFilter: fc.Arbitrary<ColumnFilter> = fc.oneof(
  fc.record({
    field: fc.constantFrom("error" as const, "condition" as const),
    isIn: fc.boolean(),
    values: fc.subarray(["", "rate_limited", "absent"]),
  }),
  fc.record({
    field: fc.constant("score" as const),
    metric: fc.constant("quality"),
    operator: fc.constantFrom("$eq", "$lt", "$lte", "$gt", "$gte"),
    value: fc.constantFrom(0, 0.5, 1),
  }),
  fc.record({
    field: fc.constant("latency" as const),
    operator: fc.constantFrom("$gte"),
    value: fc.constantFrom(0, 2),
  }),
)

/** Returns the same query on plain rows. */
function expected(rows: readonly EvaluationRow[], { task, filters, sort, offset, limit }: RowSelection) {
  const latest = new Map(rows.map((row) => [[row.task, row.row_index, row.repeat].join(" "), row]))
  const tasks = [...new Set(rows.map((row) => row.task))]
  const ofTask = [...latest.values()].filter((row) => task === undefined || row.task === task)
  const number = (row: EvaluationRow, by: RowSort["by"]) =>
    by === "latency" ? (row.sample?.latency_ms ?? Number.NaN) : Number(row.scores["quality"]?.["value"] ?? Number.NaN)
  const holds = (row: EvaluationRow) =>
    filters.every((filter) => {
      if (filter.field === "any") throw new Error("These queries have no such filter.")
      if (filter.field !== "score" && filter.field !== "latency") {
        return filter.values.includes(row.error?.code ?? "") === filter.isIn
      }
      const [value, bound] = [number(row, filter.field), filter.value]
      const signs = {
        $eq: value === bound,
        $lt: value < bound,
        $lte: value <= bound,
        $gt: value > bound,
        $gte: value >= bound,
      }
      return signs[filter.operator]
    })
  const rank = (row: EvaluationRow) => tasks.indexOf(row.task) * 1e6 + row.row_index * 10 + row.repeat
  const sign = sort.isDescending ? -1 : 1
  const matching = ofTask.filter(holds).toSorted((a, b) => {
    if (sort.by === "index") return sign * (rank(a) - rank(b))
    const [one, two] = [number(a, sort.by), number(b, sort.by)]
    if (Number.isNaN(one) || Number.isNaN(two)) {
      return Number(Number.isNaN(one)) - Number(Number.isNaN(two)) || rank(a) - rank(b)
    }
    return sign * (one - two) || rank(a) - rank(b)
  })
  const page = matching.slice(offset, offset + limit)
  return { keys: page.map(keyOf), total: ofTask.length, matched: matching.length }
}

describe("a table of rows", () => {
  it("selects the same rows as a search of the journal, for every filter, sort order and page", () => {
    const first = rowOf(0, { quality: { value: 1 } })
    fc.assert(
      fc.property(
        fc.array(anyRow, { maxLength: 60 }),
        fc.integer({ min: 1, max: 30 }),
        fc.array(
          fc.record({
            task: fc.option(fc.constantFrom("qa", "zürich", "absent"), { nil: undefined }),
            filters: fc.array(anyFilter, { maxLength: 2 }),
            sort: anySort,
            offset: fc.nat({ max: 20 }),
            limit: fc.integer({ min: 1, max: 20 }),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        (others, size, queries) => {
          const rows = [first, ...others].map((row, attempt) => ({ ...row, attempt: attempt + 1 }))
          const folder = newFolder()
          const journal = fill(folder, rows, size)
          const tables = createRowTables()
          for (const query of queries) expect(keysOf(journal, tables, folder, query)).toEqual(expected(rows, query))
          tables.close()
        },
      ),
      { numRuns: 60 },
    )
  })

  const all: RowSelection = { filters: [], sort: { by: "index", isDescending: false }, offset: 0, limit: 100 }

  it("finds rows by a text of their item or output, whatever its case", () => {
    const folder = newFolder()
    const sample = (text: string) => ({ ...rowOf(0, {}).sample, output_text: text }) as EvaluationRow["sample"]
    const rows = [
      rowOf(0, {}, { sample: sample("A REFUND, please") }),
      rowOf(1, {}, { item: { list: [{ deep: "Refund" }] }, sample: null }),
      rowOf(2, {}, { item: { refund: "only a key" } }),
    ]
    const journal = fill(folder, rows, 2)
    const tables = createRowTables()
    const search = tables.beginSearch(folder, [{ within: "row", part: "refund" }])
    expect(tables.select(folder, all, { search })).toBeUndefined()
    tables.search(search, { record: 0, offset: 0, bytes: journal })
    expect(tables.searched(search)).toEqual({ record: 0, offset: journal.length })
    const found = tables.select(folder, all, { search })
    expect([found?.rows.map(({ start }) => start), found?.total, found?.matched]).toEqual([
      [0, JSON.stringify(rows[0]).length + 1],
      3,
      2,
    ])
    tables.close()
  })

  it("sorts by the size of the change against another job", () => {
    const [one, other] = [newFolder(), newFolder()]
    const journal = fill(
      one,
      [0, 1, 2, 3].map((row) => rowOf(row, { f1: { value: [0.2, 0.9, 0.5, 1][row] ?? 0 } })),
      4,
    )
    fill(
      other,
      [0, 1, 2].map((row) => rowOf(row, { f1: { value: [0.3, 0.1, 0.5][row] ?? 0 } })),
      4,
    )
    const tables = createRowTables()
    const sort: RowSort = { by: "changed", metric: "f1", isDescending: false }
    const { rows } = selectIn(tables, one, { ...all, sort }, other)
    const order = rows.map(({ start, length, other: beside }) => {
      const row = JSON.parse(journal.toString("utf8", start, start + length)) as EvaluationRow
      return [row.row_index, beside !== null]
    })
    expect(order).toEqual([
      [1, true],
      [0, true],
      [2, true],
      [3, false],
    ])
    tables.close()
  })

  it("lists every attempt at a row", () => {
    const folder = newFolder()
    const attempts = [1, 2].flatMap((attempt) => [0, 1].map((repeat) => rowOf(3, {}, { attempt, repeat })))
    const journal = fill(folder, [rowOf(2, {}), ...attempts], 2)
    const tables = createRowTables()
    const found = tables.find(folder, "qa", 3).map(({ start, length }) => {
      return keyOf(JSON.parse(journal.toString("utf8", start, start + length)) as EvaluationRow)
    })
    expect(found).toEqual(["qa 3 0 1", "qa 3 1 1", "qa 3 0 2", "qa 3 1 2"])
    tables.close()
  })

  it("names the scores that exist if a score does not", () => {
    const folder = newFolder()
    fill(folder, [rowOf(0, { rouge: { r1: 1, r2: 0 } })], 1)
    const tables = createRowTables()
    const sorted = (metric: string) => () =>
      selectIn(tables, folder, { ...all, sort: { by: "score", metric, isDescending: true } })
    expect(sorted("f1")).toThrow("No row has the score 'f1'; the scores so far are 'rouge.r1', 'rouge.r2'.")
    expect(sorted("rouge")).toThrow("The metric 'rouge' has several scores; name one of 'rouge.r1', 'rouge.r2'.")
    tables.close()
  })

  it("is empty again if its files are damaged", () => {
    const folder = newFolder()
    fill(folder, [rowOf(0, {})], 1)
    writeFileSync(join(folder, "table.json"), "{")
    const tables = createRowTables()
    expect([tables.position(folder), selectIn(tables, folder, all).total]).toEqual([{ record: 0, offset: 0 }, 0])
    tables.close()
  })

  const scored = [0, 1, 2, 3].map((row) => rowOf(row, { f1: { value: row } }))

  it.each([
    ["a column that ends early", (folder: string) => truncateSync(join(folder, "row"), 5)],
    ["a column of zeros", (folder: string) => writeFileSync(join(folder, "length"), Buffer.alloc(16))],
    ["a score of other numbers", (folder: string) => writeFileSync(join(folder, "score-0"), Buffer.alloc(32, 1))],
    ["a missing column", (folder: string) => rmSync(join(folder, "task"))],
  ])("begins again with %s, which a power failure can leave", (_, damage) => {
    const folder = newFolder()
    const journal = fill(folder, scored, 3)
    damage(folder)
    const tables = createRowTables()
    expect(tables.position(folder)).toEqual({ record: 0, offset: 0 })
    tables.add(folder, { record: 0, offset: 0, bytes: journal })
    tables.save(folder)
    tables.close()
    const again = createRowTables()
    expect(again.position(folder)).toEqual({ record: 0, offset: journal.length })
    expect(again.summarize(folder, "f1", { filters: [] })?.mean).toBe(1.5)
    again.close()
  })

  it("keeps what was saved if a later row did not become part of it", () => {
    const folder = newFolder()
    const journal = fill(folder, scored, 2)
    const killed = createRowTables()
    killed.add(folder, { record: 0, offset: journal.length, bytes: linesOf([rowOf(1, { f1: { value: 9 } })]) })
    killed.close()
    const tables = createRowTables()
    expect(selectIn(tables, folder, all)).toMatchObject({ total: 4, matched: 4 })
    tables.close()
  })

  it("computes the statistics of the rows that match, whose repeats are not independent", () => {
    const folder = newFolder()
    const rows = [0, 1, 2, 3].flatMap((row) =>
      [0, 1].map((repeat) => rowOf(row, { f1: { value: row / 4 } }, { repeat })),
    )
    fill(folder, [...rows, rowOf(9, { f1: { value: "NaN" } })], 3)
    const tables = createRowTables()
    expect(tables.summarize(folder, "f1", { filters: [] })).toMatchObject({ count: 8, nan_count: 1, mean: 0.375 })
    const filters: ColumnFilter[] = [{ field: "score", metric: "f1", operator: "$gte", value: 0.5 }]
    expect(tables.summarize(folder, "f1", { filters })).toMatchObject({ count: 4, nan_count: 0, mean: 0.625 })
    tables.close()
  })

  it("has an interval while rows come in only if they come in random order", () => {
    const folder = newFolder()
    const seed = 7
    const order = createRowOrder(100, seed)
    // In the order of the file, the first half is right and the second half wrong.
    const rows = Array.from({ length: 100 }, (_, row) => rowOf(row, { f1: { value: row < 50 ? 1 : 0, cost: row } }))
    const arrived = rows.toSorted((a, b) => (order.positionOf(a.row_index) ?? 0) - (order.positionOf(b.row_index) ?? 0))
    fill(folder, arrived.slice(0, 60), 60)
    const tables = createRowTables()
    const intervalOf = (score: string, soFar?: RowsSoFar) =>
      tables.summarize(folder, score, { filters: [], soFar })?.interval
    const random = { order: "random", seed, total: 100, repeats: 1, isOfSet: false } as const
    expect(intervalOf("f1.value")?.method).toBe("wilson")
    expect(intervalOf("f1.value", { order: "file" })).toBeNull()
    const found = intervalOf("f1.value", random)
    expect(found).toMatchObject({ method: "betting" })
    expect([(found?.low ?? 1) < 0.5, (found?.high ?? 0) > 0.5]).toEqual([true, true])
    expect(intervalOf("f1.cost", random)).toBeNull()
    expect(intervalOf("f1.value", { ...random, total: null })).toBeNull()
    tables.close()
  })

  it("waits for rows that were asked before, so that quick rows do not count more, and ends as the result does", () => {
    const folder = newFolder()
    const order = createRowOrder(60, 3)
    const rows = Array.from({ length: 60 }, (_, row) => rowOf(row, { f1: { value: row % 3 === 0 ? 0 : 1 } }))
    const isLate = (row: number) => order.positionOf(row) === 20
    fill(
      folder,
      rows.filter(({ row_index: row }) => !isLate(row)),
      59,
    )
    const random = { order: "random", seed: 3, total: 60, repeats: 1 } as const
    const widthOf = (isOfSet: boolean) => {
      const tables = createRowTables()
      const { interval } = tables.summarize(folder, "f1", { filters: [], soFar: { ...random, isOfSet } }) ?? {}
      tables.close()
      return (interval?.high ?? 0) - (interval?.low ?? 0)
    }
    expect(widthOf(true)).toBeGreaterThan(0.3)
    fill(
      folder,
      rows.filter(({ row_index: row }) => isLate(row)),
      1,
    )
    expect(widthOf(true)).toBe(0)
    // The result is about all rows like these: the interval keeps its width.
    expect(widthOf(false)).toBeGreaterThan(0.2)
  })
})
