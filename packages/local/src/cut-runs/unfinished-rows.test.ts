import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rowOrder } from "@assay/results"
import { openStorage } from "@assay/storage"
import { beforeEach, expect, it } from "vitest"
import { lanesOf } from "./cut-rows.ts"
import type { RunStore } from "@assay/executors"
import { readUnfinishedRows } from "./unfinished-rows.ts"

let store: RunStore
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-unfinished-"))
  const { storage } = await openStorage({ type: "local", path: folder })
  store = { location: folder, folder, storage }
  return () => rmSync(folder, { recursive: true, force: true })
})

const line = (task: string, row_index: number, attempt = 1) =>
  `${JSON.stringify({ task, row_index, repeat: 0, attempt, scores: {} })}\n`
const write = (index: number, name: string, text: string) => {
  mkdirSync(join(folder, `rows/0000${index}`), { recursive: true })
  writeFileSync(join(folder, `rows/0000${index}/${name}.jsonl`), text)
}
const range = (task: string, firstRow: number, endRow: number) => ({ task, firstRow, endRow, repeats: 1 })
const shards = [[range("b", 0, 5)], [range("b", 5, 9), range("a", 0, 2)], [range("a", 2, 4)]]
const { signal } = new AbortController()
const read = (done: readonly number[]) =>
  readUnfinishedRows(store, { id: "eval-1", shards }, { done, tasks: ["b", "a"], signal })
const keysOf = async (done: readonly number[]) =>
  (await Array.fromAsync(read(done))).flat().map(({ task, row_index, attempt }) => `${task}${row_index}.${attempt}`)

it("Rows of unfinished shards are read in the order of tasks and rows, each attempt once, without half a line and rows of other shards", async () => {
  write(0, "0-a", line("b", 1))
  write(1, "0-a", `${line("a", 1) + line("b", 7) + line("b", 5)}${line("b", 6).slice(0, 20)}`)
  write(1, "1-b", line("b", 5, 2) + line("b", 5, 2) + line("b", 2) + line("other", 5))
  write(2, "0-a", `no row\n${line("a", 3)}`)
  expect(await keysOf([])).toEqual(["b1.1", "b5.1", "b5.2", "b7.1", "a1.1", "a3.1"])
  expect(await keysOf([1])).toEqual(["b1.1", "a3.1"])
})

it("Rows that a process adds while they are read are left out, and so are those of a shard that has just published them", async () => {
  write(0, "0-a", line("b", 1))
  write(1, "0-a", line("b", 8) + line("b", 5))
  write(1, "1-b", line("b", 6))
  write(2, "0-a", line("a", 3))
  const rows: number[] = []
  for await (const batch of read([])) {
    rows.push(...batch.map(({ row_index }) => row_index))
    if (rows.length > 1) continue
    appendFileSync(join(folder, "rows/00001/0-a.jsonl"), line("b", 7))
    rmSync(join(folder, "rows/00002"), { recursive: true })
  }
  expect(rows).toEqual([1, 5, 6, 8])
})

it("Rows that are dealt to shards in turns are read in the order of rows, and those of another lane are left out", async () => {
  const rows = 40
  const order = rowOrder.create(rows, rowOrder.seedOf("eval-1"))
  const lanes = lanesOf([{ task: "b", rows, repeats: 1, isEarly: true }], 3, 3)
  const laneOf = (row: number) => (order.positionOf(row) ?? 0) % 3
  for (const index of [0, 1, 2]) {
    const own = [...Array(rows).keys()].filter((row) => laneOf(row) === index || row === 7)
    write(
      index,
      "0-a",
      own
        .toReversed()
        .map((row) => line("b", row))
        .join(""),
    )
  }
  const plan = { id: "eval-1", shards: lanes }
  const found = await Array.fromAsync(readUnfinishedRows(store, plan, { done: [2], tasks: ["b"], signal }))
  const expected = [...Array(rows).keys()].filter((row) => laneOf(row) !== 2)
  expect(found.flat().map(({ row_index }) => row_index)).toEqual(expected)
})
