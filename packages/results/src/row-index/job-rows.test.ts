import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rowOf } from "../testing/tiny-result.ts"
import { createIndexThread } from "./index-thread.ts"
import { createJobRows } from "./job-rows.ts"
import type { RowLines } from "./journal-source.ts"
import { fileJournalSource } from "./journal-source.ts"

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "job-rows-"))
})
afterAll(() => rm(root, { recursive: true }))

async function linesOf(name: string, rows: readonly unknown[]): Promise<RowLines> {
  const path = join(root, `${name}.jsonl`)
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  return { job: name, source: fileJournalSource(path), folder: join(root, name) }
}

const SELECTION = { filters: [], sort: { by: "index", isDescending: false }, offset: 0, limit: 10 } as const

describe("the rows of a job", () => {
  it.each([
    ["shorter", 1],
    ["as long", 3],
    ["longer", 6],
  ])("are those of a journal that lost lines of its index and is %s now", async (name, count) => {
    const lines = (attempt: number, length: number) =>
      Array.from({ length }, (_, row) => rowOf(row, { x: { x: attempt } }, { attempt }))
    const before = createJobRows()
    await before.page(await linesOf(name, lines(1, 3)), SELECTION)
    await before.close()
    const rows = createJobRows()
    const { total, rows: found } = await rows.page(await linesOf(name, lines(2, count)), SELECTION)
    expect([total, new Set(found.map(({ row }) => row.attempt))]).toEqual([count, new Set([2])])
    await rows.close()
  })

  it("are sorted by their outputs and by a field of their items: numbers, then texts, and rows without either last", async () => {
    const values = [7, "b", null, 12345678901234567000, "a", -1, { deep: 1 }, 7, true]
    const items = values.map((value, row) => rowOf(row, {}, { item: value === null ? {} : { rank: value, row } }))
    const rows = createJobRows()
    const job = await linesOf("by-item", items)
    const orderOf = async (selection: object) => {
      const page = await rows.page(job, { ...SELECTION, ...selection })
      return page.rows.map(({ row }) => row.row_index)
    }
    const by = (isDescending: boolean) => ({ sort: { by: "item", field: "rank", isDescending } })
    expect(await orderOf(by(false))).toEqual([5, 0, 7, 3, 4, 1, 8, 2, 6])
    expect(await orderOf(by(true))).toEqual([8, 1, 4, 3, 0, 7, 5, 2, 6])
    expect(await orderOf({ ...by(false), offset: 2, limit: 2 })).toEqual([7, 3])
    expect(await orderOf({ ...by(true), filters: [{ field: "text", within: "item:rank", part: "7" }] })).toEqual([
      3, 0, 7,
    ])
    const outputs = ["b", null, "a", `${"x".repeat(70)}1`].map((text, row) =>
      rowOf(
        row,
        {},
        {
          sample:
            text === null
              ? null
              : { output_text: text, response: null, usage: null, latency_ms: 1, finish_reason: "stop" },
        },
      ),
    )
    const answered = await rows.page(await linesOf("by-output", outputs), {
      ...SELECTION,
      sort: { by: "output", isDescending: true },
    })
    expect(answered.rows.map(({ row }) => row.row_index)).toEqual([3, 0, 2, 1])
    expect(await orderOf({ sort: { by: "item", field: "gone", isDescending: true } })).toEqual(
      values.map((_, at) => at),
    )
    await rows.close()
  })

  it("are unavailable without a fault of the server once it closes", async () => {
    const rows = createJobRows()
    const job = await linesOf("closing", [rowOf(0, {})])
    await rows.page(job, SELECTION)
    const running = rows.page(job, SELECTION)
    const closing = rows.close()
    const refused = { code: "unavailable", context: { closing: true } }
    await expect(running).rejects.toMatchObject(refused)
    await closing
    await expect(rows.page(job, SELECTION)).rejects.toMatchObject(refused)
    const thread = createIndexThread()
    const waiting = expect(thread.call("position", job.folder)).rejects.toMatchObject(refused)
    await thread.close()
    await waiting
  })
})
