import { request as httpRequest } from "node:http"
import { gzipSync } from "node:zlib"
import { startFakeHub, verifies } from "@assay/testkit"
import { parquetWriteBuffer } from "hyparquet-writer"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { createTestToken } from "../../testing/create-tokens.ts"
import { startHub, type TestHub } from "../../testing/start-hub.ts"
import { FILES } from "../../testing/start-test-server.ts"
import { HUB_PREFIX } from "../hub-address.ts"

const PARQUET = Buffer.from(
  parquetWriteBuffer({
    columnData: [
      { name: "id", data: [6, 7], type: "INT32" },
      { name: "text", data: ["six", "seven dogs"], type: "STRING" },
    ],
  }),
)

/** Files of a dataset. The rows of `train` are in three of them. */
const CONTENTS: Readonly<Record<string, string | Uint8Array>> = {
  "README.md": "# Rows",
  "dataset_infos.json": "[]",
  ".hidden/train.jsonl": '{"id":99}\n',
  "train/a.jsonl": '{"id":0,"text":"A dog"}\n{"id":1,"text":"a cat"}\n{"id":1.50,"text":null}\nnot json\n',
  "train/b.jsonl.gz": gzipSync('{"id":4,"text":"DOG"}\n{"id":5,"text":"x"}\n'),
  "train/c.parquet": PARQUET,
  "test.csv": "zip,score,label\n10,0.5,a\n20,1.5,b\n30,,a\n",
}

let hub: TestHub
beforeAll(async () => {
  // No cache, because it would continue to fetch a file by itself.
  hub = await startHub({ ASSAY_ALLOWED_HOSTS: "127.0.0.1", ASSAY_CACHE_MAX_BYTES: "0" })
  await create("rows", {}, CONTENTS)
})
afterAll(() => hub[Symbol.asyncDispose]())

const headers = (who: "viewer" | "editor") => ({ authorization: `Bearer ${hub.token(who)}` })

async function create(name: string, more: object, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  const json = { name, purpose: "dataset", ...more }
  await hub.server.call("POST", `${FILES}/default/filesets`, { json, headers: headers("editor") })
  for (const [path, body] of Object.entries(files)) {
    const put = await hub.server.call("PUT", `${FILES}/default/filesets/${name}/-/${path}`, {
      body,
      headers: headers("editor"),
    })
    expect(put.status).toBe(200)
  }
}

const addressOf = (path: string, query: Readonly<Record<string, string>>) =>
  `${HUB_PREFIX}/${path}?${new URLSearchParams({ dataset: "default/rows", ...query }).toString()}`
const get = (path: string, query: Readonly<Record<string, string>> = {}) =>
  hub.server.call("GET", addressOf(path, query), { headers: headers("viewer") })
const train = (path: string, query: Readonly<Record<string, string>> = {}) => get(path, { split: "train", ...query })
const indexes = (json: { readonly rows: readonly { readonly row_idx: number }[] }) =>
  json.rows.map(({ row_idx }) => row_idx)
const whole = { pending: [], failed: [] }
const part = (split: string) => ({ dataset: "default/rows", config: "default", split })

describe("the dataset viewer", () => {
  it(
    "describes splits, sizes and the Parquet files that exist",
    verifies("hub.viewer-splits", "hub.viewer-parquet"),
    async () => {
      const all = { preview: true, viewer: true, search: true, filter: true, statistics: true }
      expect((await get("is-valid")).json).toEqual(all)
      expect((await get("splits")).json).toEqual({ splits: [part("train"), part("test")], ...whole })
      const { size } = (await get("size", { config: "default" })).json
      expect(size.dataset).toMatchObject({ dataset: "default/rows", num_rows: 11, num_bytes_memory: null })
      expect(size.splits).toMatchObject([
        { ...part("train"), num_rows: 8, num_columns: 2, num_bytes_parquet_files: PARQUET.length },
        { ...part("test"), num_rows: 3, num_columns: 3, num_bytes_parquet_files: 0 },
      ])
      const { parquet_files } = (await get("parquet")).json
      expect(parquet_files).toMatchObject([{ ...part("train"), filename: "c.parquet", size: PARQUET.length }])
      const read = await fetch(parquet_files[0].url, { headers: headers("viewer") })
      expect(PARQUET.equals(Buffer.from(await read.arrayBuffer()))).toBe(true)
      await create("empty", {}, { "readme.txt": "nothing" })
      expect((await get("is-valid", { dataset: "default/empty" })).json.viewer).toBe(false)
      expect((await get("size", { dataset: "default/empty" })).json.size).toMatchObject({ configs: [], splits: [] })
    },
  )

  it("reads the rows of a split over all of its files", verifies("hub.viewer-rows"), async () => {
    const page = (await train("rows", { offset: "2", length: "5" })).text
    // Numbers keep their digits, and a row that can't be read is null.
    expect(page).toContain('{"row_idx":2,"row":{"id":1.50,"text":null},"truncated_cells":[]},{"row_idx":3,"row":null')
    const { rows, features, ...counts } = JSON.parse(page)
    expect(rows.slice(2).map(({ row_idx, row }: never) => [row_idx, row])).toEqual([
      [4, { id: 4, text: "DOG" }],
      [5, { id: 5, text: "x" }],
      [6, { id: 6, text: "six" }],
    ])
    expect(counts).toEqual({ num_rows_total: 8, num_rows_per_page: 100, partial: false })
    expect(features).toEqual([
      { feature_idx: 0, name: "id", type: { dtype: "float64", _type: "Value" } },
      { feature_idx: 1, name: "text", type: { dtype: "string", _type: "Value" } },
    ])
    expect((await train("rows", { offset: "8" })).json).toMatchObject({ rows: [], num_rows_total: 8 })
    const first = await get("first-rows", { split: "test" })
    expect(first.json).toMatchObject({
      ...part("test"),
      truncated: false,
      rows: [{ row: { zip: 10, score: 0.5, label: "a" } }, { row_idx: 1 }, { row: { zip: 30, label: "a" } }],
    })
  })

  it(
    "ends first rows at one megabyte, and shortens the cells of a larger row",
    verifies("hub.viewer-rows"),
    async () => {
      const row = (size: number) => `${JSON.stringify({ id: 1, text: "x".repeat(size) })}\n`
      await create("large", {}, { "train.jsonl": row(400_000).repeat(4), "test.jsonl": row(2_000_000).repeat(2) })
      const of = (split: string) => get("first-rows", { dataset: "default/large", split })
      const some = (await of("train")).json
      expect([some.rows.length, some.truncated]).toEqual([2, true])
      const cut = (await of("test")).json
      expect(cut).toMatchObject({ truncated: true, rows: [{ row: { id: 1 }, truncated_cells: ["text"] }] })
      expect(cut.rows[0].row.text).toHaveLength(100)
    },
  )

  it("searches and filters all rows of a split", verifies("hub.viewer-search", "hub.viewer-filter"), async () => {
    const searched = (await train("search", { query: "dog", offset: "1", length: "1" })).json
    expect([indexes(searched), searched.num_rows_total]).toEqual([[4], 3])
    const filtered = (where: string, more: Readonly<Record<string, string>> = {}) => train("filter", { where, ...more })
    expect(indexes((await filtered(`"id">1 AND NOT ("text"='x' OR "text"='six')`)).json)).toEqual([4, 7])
    expect(indexes((await filtered(`"text" IS NULL`)).json)).toEqual([2])
    const ordered = (await filtered(`"id"<7`, { orderby: `"id" DESC`, offset: "1", length: "3" })).json
    expect([indexes(ordered), ordered.num_rows_total]).toEqual([[5, 4, 2], 6])
    // Fields of CSV have the types of their columns.
    expect(indexes((await get("filter", { split: "test", where: `"zip">=20 AND "label"='b'` })).json)).toEqual([1])
    const late = await train("filter", { orderby: `"id"`, offset: "10000" })
    expect([late.status, late.json.code]).toEqual([400, "bad_request"])
  })

  it("has the statistics of all rows of a split", verifies("hub.viewer-statistics"), async () => {
    const { num_examples, statistics, partial } = (await get("statistics", { split: "test" })).json
    expect([num_examples, partial]).toEqual([3, false])
    const histogram = { hist: expect.any(Array), bin_edges: expect.any(Array) }
    expect(statistics).toMatchObject([
      { column_name: "zip", column_type: "int", column_statistics: { min: 10, max: 30, mean: 20, std: 10, histogram } },
      {
        column_name: "score",
        column_type: "float",
        column_statistics: { nan_count: 1, nan_proportion: 0.33333, min: 0.5, max: 1.5 },
      },
      {
        column_name: "label",
        column_type: "string_label",
        column_statistics: { frequencies: { a: 2, b: 1 }, n_unique: 2 },
      },
    ])
    expect((await train("statistics")).json.num_examples).toBe(8)
  })

  it("refuses what it does not have", verifies("hub.viewer-filter"), async () => {
    const refused: readonly (readonly [number, string, Readonly<Record<string, string>>])[] = [
      [404, "rows", { split: "validation" }],
      [404, "rows", { split: "train", config: "other" }],
      [404, "rows", { split: "__proto__" }],
      [422, "rows", {}],
      [422, "rows", { split: "train", length: "101" }],
      [422, "rows", { split: "train", offset: "-1" }],
      [422, "search", { split: "train" }],
      [400, "search", { split: "train", query: " " }],
      [400, "filter", { split: "train", where: `"id"=1; DROP TABLE rows` }],
      [400, "filter", { split: "train", where: "(".repeat(3000) }],
      [400, "filter", { split: "train", orderby: "random()" }],
      [400, "splits", { dataset: "rows" }],
      [400, "splits", { dataset: "default/rows/.." }],
      [404, "splits", { dataset: "default/none" }],
    ]
    for (const [expected, path, query] of refused) {
      const { status, headers: sent } = await get(path, query)
      expect([path, query, status]).toEqual([path, query, expected])
      expect([sent["x-error-message"], sent["x-request-id"]]).toEqual([expect.any(String), expect.any(String)])
    }
  })

  it("needs the role viewer in the workspace of the dataset", verifies("hub.viewer-access"), async () => {
    const { token } = await createTestToken(hub.server, "elsewhere", { workspace: "system", role: "admin" })
    const paths = ["is-valid", "splits", "first-rows", "rows", "search", "filter", "statistics", "size", "parquet"]
    for (const path of paths) {
      const address = addressOf(path, { split: "test", query: "a" })
      const statuses: number[] = []
      for (const authorization of [
        "",
        `Bearer ${token}`,
        headers("viewer").authorization,
        headers("editor").authorization,
      ])
        statuses.push((await hub.server.call("GET", address, { headers: { authorization } })).status)
      expect([path, statuses]).toEqual([path, [401, 404, 200, 200]])
    }
  })

  it("ends its reading when the client disconnects", verifies("hub.viewer-statistics"), async () => {
    const remote = await startFakeHub({
      repositories: [{ id: "team/rows", files: { "rows.jsonl": Buffer.alloc(4_000_000, '{"id":1}\n') } }],
    })
    onTestFinished(() => remote.close())
    await create("stalled", { storage: { type: "hub", repo_id: "team/rows", endpoint: remote.url } }, {})
    remote.faults.add({ when: ({ operation }) => operation === "resolve", fault: { kind: "stall", after: 1000 } })
    const path = addressOf("statistics", { dataset: "default/stalled", split: "train" })
    const request = httpRequest(hub.server.url + path, { agent: false, headers: headers("viewer") })
    request.on("error", () => {})
    request.end()
    await expect.poll(() => remote.countOpenAnswers()).toBe(1)
    request.destroy()
    await expect.poll(() => remote.countOpenAnswers()).toBe(0)
    expect(hub.server.log()).not.toContain('"code":"internal"')
  })
})
