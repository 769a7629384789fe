import { appendFileSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { EvaluationRow } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { openRowsOfFiles } from "./rows-of-files.ts"

function rowOf(row_index: number): EvaluationRow {
  return { task: "qa", row_index, repeat: 0, attempt: 1, item: { n: row_index }, sample: null, scores: {}, error: null }
}
const lineOf = (row: number) => `${JSON.stringify(rowOf(row))}\n`
const numbersIn = async (journal: Awaited<ReturnType<typeof openRowsOfFiles>>) =>
  (await Array.fromAsync(journal.read())).flat().map(({ row_index }) => row_index)

describe("the rows of a shard in several files", () => {
  it("are those of whole lines when they were opened, and then those that are added", async () => {
    using root = mkdtempDisposableSync(join(tmpdir(), "assay-rows-"))
    const [first, second, own] = ["a.jsonl", "b.jsonl", "c.jsonl"].map((name) => join(root.path, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(first, lineOf(0) + lineOf(1) + lineOf(2).slice(0, 20))
    writeFileSync(second, lineOf(3).slice(0, 9))
    const journal = await openRowsOfFiles([first, second], own)
    // Another process of the shard still writes.
    appendFileSync(second, lineOf(3).slice(9))
    journal.append(rowOf(4))
    await journal.flush()
    expect(await numbersIn(journal)).toEqual([0, 1, 4])
    const whole = Buffer.concat(await Array.fromAsync(journal.bytes(), (piece) => Buffer.from(piece)))
    expect(whole.length).toBe(journal.size())
    for (const [start, end] of [
      [0, 5],
      [10, lineOf(0).length * 2 + 7],
      [lineOf(0).length * 2, whole.length],
      [0, whole.length],
    ] as const) {
      expect((await journal.slice(start, end)).toString()).toBe(whole.subarray(start, end).toString())
    }
    await journal.close()
    expect(readFileSync(first, "utf8")).toBe(lineOf(0) + lineOf(1) + lineOf(2).slice(0, 20))
    const next = await openRowsOfFiles([first, second, own], join(root.path, "d.jsonl"))
    expect(await numbersIn(next)).toEqual([0, 1, 3, 4])
    await next.close()
  })

  it("are none if an earlier file has no whole line", async () => {
    using root = mkdtempDisposableSync(join(tmpdir(), "assay-rows-"))
    const earlier = join(root.path, "a.jsonl")
    writeFileSync(earlier, `{"task":"${"x".repeat(3_000_000)}`)
    const journal = await openRowsOfFiles([earlier], join(root.path, "b.jsonl"))
    expect([await numbersIn(journal), journal.size()]).toEqual([[], 0])
    await journal.close()
  })
})
