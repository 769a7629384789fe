import { verifies } from "@assay/testkit"
import { parquetWriteBuffer } from "hyparquet-writer"
import { afterAll, beforeAll, expect, it } from "vitest"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const FILESET = `${FILES}/default/filesets/rows`
const ROWS = 30_000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const schema = {
    type: "object",
    properties: { label: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
  }
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "rows", metadata: { dataset: { schema } } } })
  const lines = Array.from({ length: ROWS }, (_, id) => {
    if (id === 700) return "not json"
    const label = id % 1000 === 500 ? 7 : ["good", "bad"][id % 2]
    return JSON.stringify({ id, label, tags: id % 1000 === 501 ? ["a", 1, 2] : [] })
  })
  lines[12] = `{"id":12,"label":"=cmd()","price":1.10}`
  await server.call("PUT", `${FILESET}/-/a.jsonl`, { body: lines.join("\n") })
  const parquet = Buffer.from(parquetWriteBuffer({ columnData: [{ name: "id", data: [1, 2, 3], type: "INT32" }] }))
  await server.call("PUT", `${FILESET}/-/b.parquet`, { body: parquet })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Asks until the search is complete. */
async function search(query: string) {
  for (;;) {
    const { json, status } = await server.call("GET", `${FILESET}/rows/search?${query}`)
    expect(status).toBe(200)
    if (json.is_complete === true) return json
  }
}

it(
  "counts the rows that match and those with issues, and lists them from a position or a row on",
  verifies("rows.search", "rows.issues"),
  async () => {
    const good = await search("path=a.jsonl&filter[label]=good&offset=14990&limit=3")
    expect([good.matched, good.searched, good.next_offset]).toEqual([14_968, ROWS, null])
    const from = await search("path=a.jsonl&filter[label]=bad&from=29990&limit=2")
    expect(from.data.map(({ row_index }: { row_index: number }) => row_index)).toEqual([29_991, 29_993])
    const invalid = await search("path=a.jsonl&invalid=true&limit=3")
    expect(invalid.matched).toBe(61)
    expect(invalid.kinds.map(({ pointer, message, count }: never) => [pointer, message, count])).toEqual([
      ["/tags/*", "must be string", 60],
      ["/label", "must be string", 30],
      ["", expect.stringMatching(/^is not JSON/), 1],
    ])
    expect(
      invalid.data.map(({ row_index, issues }: { row_index: number; issues: readonly unknown[] }) => [
        row_index,
        issues.length,
      ]),
    ).toEqual([
      [500, 1],
      [501, 2],
      [700, 1],
    ])
    const kind = await search(
      `path=a.jsonl&invalid=true&issue=${encodeURIComponent("/tags/* must be string")}&filter[id][$lt]=5000`,
    )
    expect([kind.matched, kind.data[0].row_index]).toEqual([5, 501])
    expect(
      (await search("path=b.parquet&filter[id][$gte]=2")).data.map(({ row }: never) => (row as { id: number }).id),
    ).toEqual([2, 3])
    expect((await server.call("GET", `${FILESET}/rows/search?path=none.jsonl`)).status).toBe(404)
  },
)

it("sends what matches as CSV and JSON lines", verifies("rows.export"), async () => {
  const download = async (query: string) => server.call("GET", `${FILESET}/rows/export?path=a.jsonl&${query}`)
  const lines = await download("filter[id][$lt]=3&format=jsonl&columns=id,label")
  expect([lines.headers["content-type"], lines.headers["content-disposition"]]).toEqual([
    "application/x-ndjson",
    'attachment; filename="a.jsonl.jsonl"',
  ])
  expect(lines.text).toBe('{"id":0,"label":"good"}\n{"id":1,"label":"bad"}\n{"id":2,"label":"good"}\n')
  const csv = await download("filter[price]=1.1&format=csv")
  // A spreadsheet would run the label.
  expect(csv.text).toBe("id,label,price\r\n12,'=cmd(),1.10\r\n")
  expect((await download("invalid=true")).text.split("\n")).toHaveLength(61)
  expect((await download("filter[label]=none&format=csv&columns=id")).text).toBe("id\r\n")
  expect((await download("")).text.split("\n")).toHaveLength(ROWS)
})

it("sends the columns of all rows as CSV, and refuses more than a table has", verifies("rows.export"), async () => {
  const download = async (rows: readonly unknown[], query = "") => {
    const body = rows.map((row) => `${JSON.stringify(row)}\n`).join("")
    await server.call("PUT", `${FILESET}/-/columns.jsonl`, { body })
    return server.call("GET", `${FILESET}/rows/export?path=columns.jsonl&format=csv${query}`)
  }
  const late = [...Array.from({ length: 12_000 }, () => ({ a: 1 })), { late: 2, constructor: "x" }]
  const { text } = await download(late)
  expect([text.slice(0, text.indexOf("\r\n")), text.trimEnd().split("\r\n").at(-1)]).toEqual([
    "a,late,constructor",
    ",2,x",
  ])
  expect((await download([{ a: 1 }], "&columns=a,constructor")).text).toBe("a,constructor\r\n1,\r\n")
  const sparse = Array.from({ length: 4000 }, (_, index) => ({ [`key${index}`]: index }))
  expect(await download(sparse)).toMatchObject({
    status: 400,
    text: expect.stringContaining("4000 columns in 4000 rows, and only 4000 values, which is no table for CSV"),
  })
  const wide = [Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`key${index}`, index]))]
  expect((await download(wide)).text).toContain("more than 10000 columns")
})

it("tries a schema on the first rows, and stores nothing", verifies("rows.try-schema"), async () => {
  const json = { schema: { properties: { label: { enum: ["good", 7] } } } }
  const { json: trial } = await server.call("POST", `${FILESET}/try-schema`, { json })
  expect([trial.path, trial.rows, trial.invalid, trial.data.length]).toEqual(["a.jsonl", 1000, 502, 20])
  const bad = await server.call("POST", `${FILESET}/try-schema`, { json: { schema: { type: "none" } } })
  expect([bad.status, bad.text]).toEqual([422, expect.stringContaining("type")])
  expect((await server.call("GET", FILESET)).json.metadata.dataset.schema.type).toBe("object")
})
