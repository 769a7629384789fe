import { digestNumber, outputDigest } from "../../rows/output-digest.ts"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { EvaluationRow } from "@assay/schemas"
import { rowOf } from "../../testing/tiny-result.ts"
import { createRowTables, type RowTables } from "../open-tables.ts"

const ROWS = 400
/** Scores from 0 to 1, evenly. */
const rows = Array.from({ length: ROWS }, (_, row) =>
  rowOf(row, { quality: { value: row / (ROWS - 1) } }, { item: { text: `row ${row}` } }),
)
const digestOf = (row: EvaluationRow) => digestNumber(outputDigest(row))

let root: string
let tables: RowTables
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "row-labels-"))
  tables = createRowTables()
  add("all", rows)
})
afterAll(() => {
  tables.close()
  rmSync(root, { recursive: true })
})

const folderOf = (name: string) => join(root, name)
function add(name: string, added: readonly EvaluationRow[]): void {
  const bytes = Buffer.from(added.map((row) => `${JSON.stringify(row)}\n`).join(""))
  tables.add(folderOf(name), { record: 0, offset: 0, bytes })
}
const draw = (name: string, options: object = {}) =>
  tables.draw(folderOf(name), { score: "quality", by: "random", seed: 1, count: ROWS, labelled: new Set(), ...options })

describe("drawing rows for labels", () => {
  it("draws every row once, in an order that only the seed and the rows decide", () => {
    const { rows: drawn, candidates, score } = draw("all")
    expect([drawn.length, candidates, score]).toEqual([ROWS, ROWS, "quality.value"])
    expect(new Set(drawn.map(({ start }) => start)).size).toBe(ROWS)
    expect(draw("all").rows).toEqual(drawn)
    expect(draw("all", { seed: 2 }).rows).not.toEqual(drawn)
    const labelled = new Set(rows.slice(0, 100).map(digestOf))
    const later = draw("all", { labelled }).rows
    expect(later).toEqual(drawn.filter(({ start }) => later.some((row) => row.start === start)))
    expect(later).toHaveLength(300)
  })

  it("draws each row about as often as its probability says", () => {
    const times = new Float64Array(ROWS)
    const starts = new Map(draw("all").rows.map(({ start }) => [start, 0]))
    const order = [...starts.keys()].toSorted((a, b) => a - b)
    const seeds = 600
    for (let seed = 0; seed < seeds; seed++) {
      for (const { start } of draw("all", { by: "uncertainty", seed, count: 40 }).rows) {
        const at = order.indexOf(start)
        times[at] = (times[at] ?? 0) + 1
      }
    }
    const { rows: drawn } = draw("all", { by: "uncertainty" })
    const expected = new Map(drawn.map(({ start, probability }) => [order.indexOf(start), probability * 0.1]))
    const shareOf = (from: number, to: number, valueOf: (at: number) => number) =>
      order.slice(from, to).reduce((sum, _start, at) => sum + valueOf(from + at), 0) / (to - from)
    for (const [from, to] of [
      [0, 10],
      [10, 50],
      [190, 210],
      [390, 400],
    ] as const) {
      const seen = shareOf(from, to, (at) => (times[at] ?? 0) / seeds)
      const meant = shareOf(from, to, (at) => expected.get(at) ?? 0)
      expect(Math.abs(seen - meant)).toBeLessThan(4 * Math.sqrt(meant / seeds / (to - from)) + 0.05 * meant)
    }
    expect(shareOf(190, 210, (at) => expected.get(at) ?? 0)).toBeGreaterThan(
      2 * shareOf(0, 4, (at) => expected.get(at) ?? 0),
    )
  })

  it("takes rows with the same item and output for one, and leaves out rows without a score", () => {
    const sample = { output_text: "yes", response: null, usage: null, latency_ms: null, finish_reason: null }
    const same = { item: { b: 1, a: 2 }, sample }
    add("same", [
      rowOf(0, { quality: { value: 1 } }, same),
      rowOf(1, { quality: { value: 1 } }, { item: { a: 2, b: 1 }, sample }),
      rowOf(2, { quality: { value: 0 } }, { ...same, sample: { ...sample, output_text: "no" } }),
      rowOf(3, { quality: { value: "NaN" } }, {}),
    ])
    expect(draw("same").candidates).toBe(2)
    const digest = digestOf(rows[0] as EvaluationRow)
    const first = outputDigest({ ...same, item: { a: 2, b: 1 } })
    const found = tables.judged(
      folderOf("same"),
      "quality",
      new Map([digest, digestNumber(first)].map((one) => [one, null] as const)),
    )
    expect(found).toMatchObject({ rows: 3, values: 3, mean: 2 / 3, levels: [0, 1], highest: 2, low: 0, high: 1 })
    expect([...found.labelled]).toEqual([[digestNumber(first), { score: 1, times: 2, cluster: undefined }]])
  })
})

describe("the digest of an output", () => {
  it("depends on every digit of a number, and not on the order of keys", () => {
    const lines = [1, 2].map((digit) => {
      const row = JSON.stringify(rowOf(digit, { quality: { value: 1 } }, { sample: null }))
      return `${row.replace(/"item":\{[^}]*\}/u, `"item":{"id":123456789012345678${digit}}`)}\n`
    })
    tables.add(folderOf("digits"), { record: 0, offset: 0, bytes: Buffer.from(lines.join("")) })
    expect(draw("digits").candidates).toBe(2)
    expect(outputDigest({ item: { a: 1, b: [{ d: 1, c: 2 }] }, sample: null })).toBe(
      outputDigest({ item: { b: [{ c: 2, d: 1 }], a: 1 }, sample: null }),
    )
    expect(outputDigest({ item: JSON.parse('{"__proto__":1}'), sample: null })).not.toBe(
      outputDigest({ item: {}, sample: null }),
    )
  })
})
