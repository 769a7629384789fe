import { exactNumber } from "@assay/json"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Row } from "../rows/row.ts"
import { compareRows } from "./compare-rows.ts"

const sideOf = (name: string, values: readonly unknown[]) => ({
  name,
  async *rows() {
    yield values.map((row, row_index): Row => ({ row, fault: null, row_index, line: null, offset: null }))
  },
})
const compare = (from: readonly unknown[], to: readonly unknown[], key?: string, maxHeld?: number) =>
  compareRows(sideOf("v1", from), sideOf("v2", to), {
    key: key === undefined ? undefined : [key],
    limit: 100,
    total: from.length + to.length,
    ...(maxHeld === undefined ? {} : { maxHeld }),
  })

describe("the rows of two revisions", () => {
  const from = [
    { id: 1, a: "x", n: exactNumber("1.50") },
    { id: 2, a: "y" },
    { id: 3, a: "z" },
  ]
  const to = [
    { a: "z", id: 3 },
    { n: 1.5, id: 1, a: "X", b: null },
    { id: 4, a: "new" },
  ]

  it("are compared by a key, in any order, and changed rows list their cells", async () => {
    expect(await compare(from, to, "id")).toEqual({
      added: 1,
      removed: 1,
      changed: 1,
      same: 1,
      unreadable: { from: 0, to: 0 },
      rows: [
        { change: "removed", from_index: 1, to_index: null, row: { id: 2, a: "y" } },
        {
          change: "changed",
          from_index: 0,
          to_index: 1,
          cells: [
            { column: "a", from: "x", to: "X" },
            { column: "b", to: null },
          ],
        },
        { change: "added", from_index: null, to_index: 2, row: { id: 4, a: "new" } },
      ],
    })
  })

  it("are compared as wholes without a key, each as often as it is there", async () => {
    const { rows, ...counts } = await compare(["a", "a", "b"], ["b", "a", "c", "c"])
    expect(counts).toMatchObject({ added: 2, removed: 1, changed: 0, same: 2 })
    expect(rows).toMatchObject([
      { row: "a", from_index: 0 },
      { row: "c", to_index: 2 },
      { row: "c", to_index: 3 },
    ])
  })

  it("need a key that each row has, with another value", async () => {
    await expect(compare([{ id: 1 }], [{ other: 1 }], "id")).rejects.toThrow("Row 0 of v2 has no value of 'id'")
    await expect(compare([{ id: "a" }, { id: "a" }], [], "id")).rejects.toThrow(`Two rows of v1 have the value "a"`)
    await expect(compare([], [{ id: 1 }, { id: 1.0 }], "id")).rejects.toThrow("Two rows of v2 have the value 1")
  })

  it("are compared in parts with the same result", async () => {
    const rows = fc.uniqueArray(fc.record({ id: fc.nat(60), a: fc.nat(2) }), {
      selector: ({ id }) => id,
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(rows, rows, fc.constantFrom("id", undefined), async (before, after, key) => {
        expect(await compare(before, after, key, 7)).toEqual(await compare(before, after, key))
      }),
      { numRuns: 50 },
    )
  })

  it("list long values with their middle left out", async () => {
    const { rows } = await compare([], [{ text: "x".repeat(10_000) }])
    expect(JSON.stringify(rows).length).toBeLessThan(2200)
  })
})
