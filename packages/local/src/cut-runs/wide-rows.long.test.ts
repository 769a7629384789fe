import { join } from "node:path"
import { expect, it } from "vitest"
import type { LaunchSubject } from "@assay/attempts"
import { comparableResults } from "../testing/cut-runs/comparable-results.ts"
import { createTestRuns } from "../testing/cut-runs/cut-run-of-test.ts"
import { readRecords, readSegments } from "./read-segments.ts"

const DATASET = { files_url: "./rows.csv" }
/** Rows of cached outputs settle in their order, so they are published as they are. */
const JOB: LaunchSubject = {
  namespace: "default",
  target: { type: "cached_outputs", cached_outputs: DATASET },
  config: {
    type: "custom",
    tasks: {
      say: {
        type: "data",
        dataset: DATASET,
        metrics: { exact: { type: "em", params: { ground_truth: "{{ item.reference }}" } } },
      },
    },
  },
}

it("the rows of a run in shards are those of one process, however long they are", async () => {
  const lengths = [2_000_000, ...Array.from({ length: 150 }, (_, row) => 60_000 + row), 1]
  const rows = lengths.map((length, row) => `${"é".repeat(length)},${row % 2 === 0 ? "é" : "e"}\n`)
  using runs = createTestRuns({ "rows.csv": `output,reference\n${rows.join("")}` })
  const whole = comparableResults(await runs.runWhole(JOB, "whole"))
  const store = await runs.open("run")
  await runs.cut(store, JOB, { shards: 1 })
  expect(await runs.shard(store, 0)).toMatchObject({ kind: "published" })
  expect((await runs.merge(store)).outcome.progress).toMatchObject({ processed: lengths.length, failed: 0 })
  const facts =
    readSegments(store, { records: await readRecords(store, [0]), tasks: ["say"], lanes: new Set() }).readFacts?.([]) ??
    []
  expect((await Array.fromAsync(facts)).flat().map((row) => row.row_index)).toEqual([...lengths.keys()])
  const merged = comparableResults(join(runs.folder, "run"))
  const differing = Object.keys(whole).filter((path) => merged[path] !== whole[path])
  expect(differing).toEqual([])
})
