import { parseColumnFilters } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { parquetWriteBuffer } from "hyparquet-writer"
import { describe, expect, it } from "vitest"
import { makeRowFolder } from "../testing/row-folder.ts"
import { MAX_SCANNED_ROWS } from "./filter-rows.ts"
import { readRowsPage } from "./read-rows-page.ts"
import { createMemoryRowIndexStore } from "./row-index.ts"

const filtersOf = (query: string) => parseColumnFilters([...new URLSearchParams(query)])

const VALUES = [
  { n: 1, label: "Good", meta: { lang: ["de"] } },
  { n: 2.5, label: "bad" },
  { n: "2", label: null },
  { n: 10, label: "good enough", done: true },
  { label: "5" },
]

describe("a page of rows that match", () => {
  it.each<[string, readonly number[]]>([
    ["filter[n][$gte]=2", [1, 2, 3]],
    ["filter[n][$gte]=2&filter[n][$lt]=10", [1, 2]],
    ["filter[n]=2.50", [1]],
    ["filter[n]=2", [2]],
    ["filter[label]=5", [4]],
    ["filter[label][$like]=GOOD", [0, 3]],
    ["filter[label]=", [2]],
    ["filter[n]=", [4]],
    ["filter[label][$nin]=bad,5", [0, 3]],
    ["filter[label][$in]=bad,", [1, 2]],
    ["filter[/meta/lang/0]=de", [0]],
    ["filter[done]=true", [3]],
    ["filter[toString]=", [0, 1, 2, 3, 4]],
    ["filter[label][$gt]=bad&filter[n][$gt]=3", [3]],
    ["filter[label][$gte]=2", [4]],
    ["filter[n][$lt]=x", [2]],
  ])("has the rows that satisfy %s", verifies("contents.page.filter"), async (query, expected) => {
    const lines = [...VALUES.map((value) => JSON.stringify(value)), "no JSON"]
    const { storage } = await makeRowFolder({ "a.jsonl": lines.join("\n") })
    const page = await readRowsPage(storage, parseFilePath("a.jsonl"), { filters: filtersOf(query) })
    expect(page.data.map(({ row_index }) => row_index)).toEqual(expected)
    expect(page).toMatchObject({ total: 6, next_offset: null, scanned: 6 })
  })

  it.each<[string, readonly number[]]>([
    ["filter[v]=9007199254740993", [1, 3]],
    ["filter[v]=9007199254740992", [2]],
    ["filter[v][$in]=9007199254740993.0,5", [1]],
    ["filter[v][$nin]=9007199254740992", [0, 1, 3, 4, 5, 6, 7]],
    ["filter[v][$gt]=9007199254740992", [1, 3]],
    ["filter[v][$lte]=9007199254740992", [0, 2, 4, 5, 6, 7]],
    ["filter[v]=0.1", [4, 7]],
    ["filter[v][$gt]=0.1", [0, 1, 2, 3, 5]],
    ["filter[v][$lt]=0.10000000000000000001", [4, 6, 7]],
    ["filter[v][$lt]=1e400", [0, 1, 2, 3, 4, 5, 6, 7]],
    ["filter[v][$gt]=1e400", []],
    ["filter[v]=-0.0", [6]],
    [`filter[v][$lt]=1${"0".repeat(60)}`, [0, 1, 2, 3, 4, 5, 6, 7]],
    ["filter[v][$gt]=-1e-400", [0, 1, 2, 3, 4, 5, 6, 7]],
  ])("compares all digits of numbers: %s", verifies("contents.page.filter"), async (query, expected) => {
    const numbers = ["1.0", "9007199254740993", "9007199254740992", '"9007199254740993"', "0.1"]
    const lines = [...numbers, "0.10000000000000000001", "-0", "0.10"].map((number) => `{"v":${number}}`)
    const { storage } = await makeRowFolder({ "a.jsonl": lines.join("\n") })
    const page = await readRowsPage(storage, parseFilePath("a.jsonl"), { filters: filtersOf(query) })
    expect(page.data.map(({ row_index }) => row_index)).toEqual(expected)
  })

  it("refuses numbers that would take long to compare with each row", () => {
    expect(() => filtersOf(`filter[v][$in]=5,1${"0".repeat(400)}`)).toThrow("a number has more than 400 characters")
    expect(filtersOf(`filter[v]=${"word".repeat(101)}`)).toHaveLength(1)
  })

  it("continues behind the last match, and after as many rows as one page searches", async () => {
    const count = MAX_SCANNED_ROWS + 10
    const lines = Array.from({ length: count }, (_, n) => `{"n":${n}}`)
    const { storage } = await makeRowFolder({ "a.jsonl": lines.join("\n") })
    const indexes = createMemoryRowIndexStore()
    const search = async (query: string, offset: number, limit = 2) => {
      const filters = filtersOf(query)
      const page = await readRowsPage(storage, parseFilePath("a.jsonl"), { filters, offset, limit, indexes })
      return [page.data.map(({ row_index }) => row_index), page.next_offset, page.scanned]
    }
    expect(await search("filter[n][$in]=3,5,9", 0)).toEqual([[3, 5], 6, 6])
    expect(await search("filter[n][$in]=3,5,9", 6)).toEqual([[9], MAX_SCANNED_ROWS + 6, MAX_SCANNED_ROWS])
    expect(await search("filter[n]=-1", 0)).toEqual([[], MAX_SCANNED_ROWS, MAX_SCANNED_ROWS])
    expect(await search("filter[n]=-1", MAX_SCANNED_ROWS)).toEqual([[], null, 10])
    expect(await search(`filter[n]=${count - 1}`, MAX_SCANNED_ROWS, 1)).toEqual([[count - 1], null, 10])
  })

  it("ends after 32 MiB, and before its own rows are too large", async () => {
    const text = "x".repeat(1024 * 1024)
    const lines = Array.from({ length: 40 }, (_, n) => `{"n":${n},"text":"${text}"}`)
    const { storage } = await makeRowFolder({ "a.jsonl": lines.join("\n") })
    const page = (query: string) => readRowsPage(storage, parseFilePath("a.jsonl"), { filters: filtersOf(query) })
    const none = await page("filter[n]=39")
    expect(none.data).toHaveLength(0)
    expect(none.next_offset).toBeLessThan(36)
    const some = await page("filter[n][$gte]=2")
    expect(some.data.length).toBeLessThan(6)
    expect(some.next_offset).toBe((some.data.at(-1)?.row_index ?? 0) + 1)
  })

  it("is read from Parquet, too", async () => {
    const data = Array.from({ length: 3000 }, (_, n) => n)
    const columnData = [{ name: "n", data, type: "INT32" as const }]
    const { storage } = await makeRowFolder({ "a.parquet": new Uint8Array(parquetWriteBuffer({ columnData })) })
    const page = await readRowsPage(storage, parseFilePath("a.parquet"), { filters: filtersOf("filter[n][$gt]=2998") })
    expect(page).toMatchObject({ data: [{ row: { n: 2999 } }], next_offset: null, scanned: 3000 })
  })
})
