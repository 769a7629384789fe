import { parseJsonRecord } from "@assay/json"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { localDatasets, mapDatasets } from "./dataset-paths.ts"

it("mapDatasets replaces every text that names rows, at any depth, and nothing else", () => {
  const job = {
    target: { cached_outputs: { files_url: "./a.csv", format: "csv" } },
    config: { tasks: { one: { dataset: "ns/b" }, two: { dataset: { files_url: "ns/c" }, note: "./no.csv" } } },
    list: [{ files_url: "./d.csv" }, null, 1],
  }
  const seen: string[] = []
  const mapped = mapDatasets(job, (filesUrl) => {
    seen.push(filesUrl)
    return `[${filesUrl}]`
  })
  expect(seen).toEqual(["./a.csv", "ns/b", "ns/c", "./d.csv"])
  expect(mapped.config.tasks.two).toEqual({ dataset: { files_url: "[ns/c]" }, note: "./no.csv" })
})

it(
  "mapDatasets keeps rows as they are, with the exact text of their numbers",
  verifies("contents.rows.numbers"),
  () => {
    const text =
      '{"target":{"rows":[{"id":1234567890123456789,"price":1.50,"files_url":"./no.csv"}]},"files_url":"[./a.csv]"}'
    const body = parseJsonRecord(text.replace("[./a.csv]", "./a.csv"))
    expect(JSON.stringify(mapDatasets(body, (filesUrl) => `[${filesUrl}]`))).toBe(text)
  },
)

it("localDatasets lists each path of this machine once, and no fileset", () => {
  const config = { tasks: { one: { dataset: "./a.csv" }, two: { dataset: "ns/b" }, three: { dataset: "./a.csv" } } }
  expect(localDatasets({ config })).toEqual(["./a.csv"])
})
