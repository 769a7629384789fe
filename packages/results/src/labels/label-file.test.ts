import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { LabelRow } from "@assay/schemas"
import { failCalls } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { openLabelFile } from "./label-file.ts"

const labelOf = (row: number): LabelRow => ({
  digest: row.toString(16).padStart(64, "0"),
  metric: "judge.score",
  label: 1,
  author: `person ${row}`,
  created_at: "2026-11-30T12:00:00.000Z",
  probability: 1,
  job: "eval-1",
  task: "qa",
  row_index: row,
  repeat: 0,
})

function labelsPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "labels-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, "labels.jsonl")
}

it("A file keeps all labels that 40 people add at the same time", async () => {
  const path = labelsPath()
  await Promise.all(Array.from({ length: 40 }, (_, row) => openLabelFile(path, "labels.jsonl").add([labelOf(row)])))
  const rows = await openLabelFile(path, "labels.jsonl").read()
  expect(rows.map(({ row_index }) => row_index).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 40 }, (_, i) => i),
  )
  expect(readdirSync(join(path, ".."))).toEqual(["labels.jsonl"])
})

it("A file whose last line has no line end gets labels on lines of their own", async () => {
  const path = labelsPath()
  const first = JSON.stringify(labelOf(1))
  writeFileSync(path, first)
  expect(await openLabelFile(path, "labels.jsonl").add([labelOf(2)])).toBe(2)
  expect(readFileSync(path, "utf8")).toBe(`${first}\n${JSON.stringify(labelOf(2))}\n`)
})

it("A file that can't be opened is unchanged, and the error says why", async () => {
  const path = labelsPath()
  await openLabelFile(path, "labels.jsonl").add([labelOf(1)])
  const before = readFileSync(path, "utf8")
  // The first call reads.
  failCalls("open", "EROFS").fail(2)
  const adding = openLabelFile(path, "labels.jsonl").add([labelOf(2)])
  await expect(adding).rejects.toThrow("the file system is read-only (EROFS)")
  expect(readFileSync(path, "utf8")).toBe(before)
})
