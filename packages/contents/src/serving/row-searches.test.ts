import { createTurns } from "@assay/isolation"
import { parseColumnFilters } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { buildRowIndex, createMemoryRowIndexStore, indexKeyOf } from "../pages/row-index.ts"
import { makeRowFolder } from "../testing/row-folder.ts"
import { testSchemas } from "../testing/test-schemas.ts"
import { createRowSearches } from "./row-searches.ts"

it(
  "searches of many readers at once find every row, although one search is kept",
  verifies("rows.search"),
  async () => {
    const rows = Array.from({ length: 3000 }, (_, at) => ({ n: at, word: `w${at % 7}` }))
    const { storage } = await makeRowFolder({ "rows.jsonl": rows.map((row) => `${JSON.stringify(row)}\n`).join("") })
    const file = await storage.stat(parseFilePath("rows.jsonl"))
    const subject = {
      fileset: "fileset-1",
      file,
      storage,
      metadata: undefined,
      runner: testSchemas(),
      indexes: createMemoryRowIndexStore(),
    }
    const searches = createRowSearches(createTurns(2), 1)
    const { signal } = new AbortController()
    const ask = async (below: number) => {
      const filters = parseColumnFilters([
        ["filter[n][$lt]", String(below)],
        ["filter[word]", "w3"],
      ])
      const { found, isComplete } = await searches.ask(
        subject,
        { filters, isInvalid: false },
        { waitMs: 60_000, signal },
      )
      return [isComplete, found.slice(0, 9999)]
    }
    const wanted = Array.from({ length: 40 }, (_, at) => 70 * (at + 1))
    const expected = wanted.map((below) => [
      true,
      rows.flatMap(({ n, word }) => (n < below && word === "w3" ? [n] : [])),
    ])
    expect(await Promise.all(wanted.map(ask))).toEqual(expected)
    // A reader that leaves does not end the search of another one.
    const leaving = new AbortController()
    const question = { filters: [], isInvalid: false }
    const left = searches.ask(subject, question, { waitMs: 60_000, signal: leaving.signal })
    const stays = searches.ask(subject, question, { waitMs: 60_000, signal })
    const other = ask(70)
    leaving.abort(new Error("It left."))
    await expect(left).rejects.toThrow("It left.")
    expect((await stays).found.length()).toBe(3000)
    expect(await other).toEqual(expected[0])
  },
)

it(
  "a filter and a schema read numbers differently, and together select rows in their order",
  verifies("rows.search"),
  async () => {
    // 1.50 has digits that only a filter compares, so that its row is checked again with the value 1.5.
    const lines = ['{"n":1.5}', '{"n":1.50}', '{"n":"1.5"}', '{"n":1.50,"m":[1,2.50]}', '{"n":2}', '{"n":3.50}']
    const { storage } = await makeRowFolder({ "rows.jsonl": lines.join("\n") })
    const file = await storage.stat(parseFilePath("rows.jsonl"))
    const metadata = { schema: { properties: { n: { enum: [1.5] }, m: { items: { type: "integer" } } } } }
    const subject = {
      fileset: "fileset-1",
      file,
      storage,
      metadata,
      runner: testSchemas(),
      indexes: createMemoryRowIndexStore(),
    }
    const filters = parseColumnFilters([["filter[n][$lt]", "9"]])
    const { found, kinds } = await createRowSearches(createTurns(1)).ask(
      subject,
      { filters, isInvalid: true },
      { waitMs: 60_000, signal: new AbortController().signal },
    )
    expect(found.slice(0, 9)).toEqual([2, 3, 4, 5])
    // The rows that were found are read by their positions, without reading the file again.
    const index = await subject.indexes.get(indexKeyOf(file, undefined) ?? "")
    expect(index).toEqual(
      await buildRowIndex(
        storage,
        file,
        { encoding: "lines", compression: null },
        { csv: undefined, signal: undefined },
      ),
    )
    expect(kinds).toEqual([
      { pointer: "/n", message: "must be one of [1.5]", count: 3 },
      { pointer: "/m/*", message: "must be integer", count: 1 },
    ])
  },
)
