import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { LaunchSubject } from "@assay/attempts"
import { createTestRuns, type TestRuns } from "../testing/cut-runs/cut-run-of-test.ts"
import type { RunStore } from "@assay/executors"

let runs: TestRuns
let store: RunStore
beforeEach(async () => {
  const rows = Array.from({ length: 12 }, (_, row) => `${row},${row % 2}`)
  runs = createTestRuns({ "rows.csv": `output,reference\n${rows.join("\n")}\n` })
  store = await runs.open("run")
  await runs.cut(store, JOB, { shards: 3 })
})
afterEach(() => runs[Symbol.dispose]())

const DATASET = { files_url: "./rows.csv" }
const JOB: LaunchSubject = {
  namespace: "default",
  target: { type: "cached_outputs", cached_outputs: DATASET },
  config: {
    type: "custom",
    tasks: {
      qa: {
        type: "data",
        dataset: DATASET,
        metrics: { exact: { type: "em", params: { ground_truth: "{{ item.reference }}" } } },
      },
    },
  },
}

const file = (...parts: readonly string[]) => join(runs.folder, "run", ...parts)

async function runAll(): Promise<void> {
  for (const index of [0, 1, 2]) await runs.shard(store, index)
}

describe("a run whose files were changed", () => {
  it("is not merged without a shard, whatever else is in the folder of its records", async () => {
    await runAll()
    renameSync(file("done", "00001.json"), file("done", "00001.json.bad"))
    await expect(runs.merge(store)).rejects.toMatchObject({ code: "shards_missing", message: /1 of 3 shards/ })
  })

  it.each([
    ["is not JSON", () => writeFileSync(file("done", "00001.json"), "garbage")],
    [
      "is that of another shard",
      () => writeFileSync(file("done", "00001.json"), readFileSync(file("done", "00000.json"))),
    ],
    [
      "has the segments of another shard",
      () => {
        const text = readFileSync(file("done", "00000.json"), "utf8").replace('"index":0', '"index":1')
        writeFileSync(file("done", "00001.json"), text)
      },
    ],
    [
      "has fewer rows than its shard",
      () => {
        const text = readFileSync(file("done", "00001.json"), "utf8").replace('"processed":4', '"processed":3')
        writeFileSync(file("done", "00001.json"), text)
      },
    ],
    ["has lost its segments", () => rmSync(file("segments", "00001"), { recursive: true })],
    [
      "has a segment that was cut off",
      () => {
        const [writer = ""] = readdirSync(file("segments", "00001"))
        truncateSync(file("segments", "00001", writer, "0.jsonl.zst"), 20)
      },
    ],
  ])("says what helps if the record of a shard %s", async (_, damage) => {
    await runAll()
    damage()
    await expect(runs.merge(store)).rejects.toMatchObject({
      code: "content_damaged",
      message: expect.stringContaining("The rows of shard 1 of the run"),
      context: { remedy: expect.stringMatching(/Remove done\/00001\.json from the run, .* --index 1\./) },
    })
    rmSync(file("done", "00001.json"))
    await runs.shard(store, 1)
    expect((await runs.merge(store)).outcome.progress).toMatchObject({ processed: 12, total: 12 })
  })

  it.each([
    ["truncated", (text: string) => text.slice(0, 30)],
    ["changed without another size", (text: string) => text.replace("3,1", "3,0")],
  ])("asks nothing if the copy of its rows was %s", async (_, change) => {
    const copy = file("data", "0", "rows.csv")
    writeFileSync(copy, change(readFileSync(copy, "utf8")))
    await expect(runs.shard(store, 0)).rejects.toMatchObject({
      code: "bad_document",
      message: expect.stringContaining("does not contain the rows with which the job was cut"),
    })
  })

  it("still has its rows if the copy was only written again, as a move of the run does", async () => {
    const copy = file("data", "0", "rows.csv")
    const text = readFileSync(copy)
    rmSync(copy)
    writeFileSync(copy, text)
    expect(await runs.shard(store, 0)).toMatchObject({ kind: "published" })
  })

  it.each([
    [
      "a parameter of a wrong type",
      '"config":{',
      '"config":{"params":{"parallelism":"x"},',
      /'config\.params\.parallelism'/,
    ],
    ["a range without end", '"endRow":4', '"endRow":1e15', /The plan of .* is damaged: '\/shards\/0\/0\/endRow'/],
  ])("is refused if its plan has %s", async (_, from, to, message) => {
    const path = file("plan.json")
    const text = readFileSync(path, "utf8")
    expect(text).toContain(from)
    writeFileSync(path, text.replace(from, to))
    await expect(runs.shard(store, 0)).rejects.toMatchObject({ code: "bad_document", message })
  })
})
