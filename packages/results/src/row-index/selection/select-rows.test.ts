import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseRowSort } from "@assay/schemas"
import { afterAll, beforeAll, expect, it } from "vitest"
import { rowOf } from "../../testing/tiny-result.ts"
import { createRowTables, type RowTables } from "../open-tables.ts"

const failed = (index: number, code: string) => rowOf(index, {}, { error: { code, message: "" } })
const ROWS = [failed(0, "timeout"), rowOf(1, { f1: { value: 1 } }), failed(2, "bad_answer"), failed(3, "timeout")]

let root: string
let tables: RowTables
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "row-order-"))
  tables = createRowTables()
  const bytes = Buffer.from(ROWS.map((row) => `${JSON.stringify(row)}\n`).join(""))
  tables.add(join(root, "a"), { record: 0, offset: 0, bytes })
})
afterAll(() => {
  tables.close()
  rmSync(root, { recursive: true })
})

it("rows are sorted by the texts of their error, and rows without one come last in both directions", () => {
  const order = (sort: string) => {
    const page = tables.select(join(root, "a"), { filters: [], sort: parseRowSort(sort), offset: 0, limit: 10 }, {})
    const starts = page?.rows.map(({ start }) => start) ?? []
    const all = tables.select(join(root, "a"), { filters: [], sort: parseRowSort("index"), offset: 0, limit: 10 }, {})
    return starts.map((start) => all?.rows.findIndex((row) => row.start === start))
  }
  expect(order("error")).toEqual([2, 0, 3, 1])
  expect(order("-error")).toEqual([0, 3, 2, 1])
  expect(order("task")).toEqual([0, 1, 2, 3])
  expect(order("verdict")).toEqual([0, 1, 2, 3])
})
