import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rowOf } from "../../testing/tiny-result.ts"
import { createIndexThread, type IndexThread } from "../index-thread.ts"
import { fileJournalSource, type JournalSource } from "../journal-source.ts"
import type { RowSelection, SelectedPage } from "../selection/select-rows.ts"
import { createJournalSearch, type TextConditions } from "./search-journal.ts"

let root: string
let thread: IndexThread
let source: JournalSource
const COUNT = 3000
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "search-journal-"))
  thread = createIndexThread()
  const note = "word ".repeat(200)
  const lines = Array.from(
    { length: COUNT },
    (_, row) => `${JSON.stringify(rowOf(row, {}, { item: { note, row } }))}\n`,
  )
  await writeFile(join(root, "rows.jsonl"), lines.join(""))
  source = fileJournalSource(join(root, "rows.jsonl"))
  for await (const piece of source.pieces({ record: 0, offset: 0 })) await thread.call("add", root, piece)
})
afterAll(async () => {
  await thread.close()
  await rm(root, { recursive: true })
})

const wanted: TextConditions<RowSelection> = {
  filters: ["word", "w", "o", "r", "d", "WORD word"].map((part) => ({ field: "text", within: "row", part }) as const),
  sort: { by: "index", isDescending: false },
  offset: 0,
  limit: 1,
}

/** Counts the pieces that are read. */
function counted(onPiece: () => void): JournalSource {
  return {
    ...source,
    async *pieces(after) {
      for await (const piece of source.pieces(after)) {
        onPiece()
        yield piece
      }
    },
  }
}

function searchIn(rows: JournalSource, { signal, maxBytes }: { signal?: AbortSignal; maxBytes?: number }) {
  const search = createJournalSearch(thread, maxBytes)
  return search<RowSelection, SelectedPage>({ source: rows, folder: root, signal }, wanted, (conditions, texts) =>
    thread.call("select", root, conditions, { search: texts }),
  )
}

describe("a search of a journal", () => {
  it("ends when its reader leaves", async () => {
    const leaving = new AbortController()
    let pieces = 0
    const rows = counted(() => {
      pieces++
      leaving.abort(new Error("left"))
    })
    await expect(searchIn(rows, { signal: leaving.signal })).rejects.toThrow("left")
    expect(pieces).toBe(1)
    await expect(searchIn(rows, { signal: leaving.signal })).rejects.toThrow("left")
    expect(pieces).toBe(1)
  })

  it("reads a limited number of bytes for a request, and continues with the next one", async () => {
    await expect(searchIn(source, { maxBytes: 1_000_000 })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("send the same request again"),
    })
    await expect
      .poll(() => searchIn(source, { maxBytes: 1_000_000 }).catch(() => null))
      .toMatchObject({ matched: COUNT })
  })

  it("reads rows once for all texts, and not again for the next page", async () => {
    let pieces = 0
    const rows = counted(() => pieces++)
    const other = {
      ...wanted,
      filters: [...wanted.filters, { field: "text", within: "row", part: "question" } as const],
    }
    const search = createJournalSearch(thread)
    for (const offset of [0, 1]) {
      const asked = { ...other, offset }
      const found = await search<RowSelection, SelectedPage>(
        { source: rows, folder: root },
        asked,
        (conditions, texts) => thread.call("select", root, conditions, { search: texts }),
      )
      expect([found.matched, found.total]).toEqual([0, COUNT])
    }
    expect(pieces).toBe(4)
  })
})
