import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { createTestRuns } from "../testing/cut-runs/cut-run-of-test.ts"
import { findCutRun } from "./find-cut-run.ts"

const DATASET = { files_url: "./rows.csv" }
const job = (ground_truth: string) =>
  ({
    namespace: "default",
    target: { type: "cached_outputs", cached_outputs: DATASET },
    config: {
      type: "custom",
      tasks: { qa: { type: "data", dataset: DATASET, metrics: { exact: { type: "em", params: { ground_truth } } } } },
    },
  }) as const

it("finds the newest run of a job among more than a thousand, whatever their names begin with", async () => {
  using runs = createTestRuns({ "rows.csv": "output,reference\na,b\n" })
  const data = join(runs.folder, "data")
  for (let number = 1; number <= 1000; number++) {
    mkdirSync(join(data, `zoo-20200101-000000-${number}`), { recursive: true })
  }
  const cut = async (name: string, reference: string) =>
    runs.cut(await runs.open(join(data, name)), job(reference), { shards: 1 })
  await cut("ant-20261120-174012", "{{ item.reference }}")
  await cut("bee-20261120-174013-2", "{{ item.reference }}")
  await cut("cat-20261120-174014", "{{ item.output }}")
  const signal = new AbortController().signal
  const find = (reference: string) =>
    findCutRun(runs.ports, data, { job: job(reference), folder: runs.folder, gates: [], signal })
  expect((await find("{{ item.reference }}"))?.location).toBe(join(data, "bee-20261120-174013-2"))
  expect((await find("{{ item.output }}"))?.location).toBe(join(data, "cat-20261120-174014"))
  expect(await find("other")).toBeUndefined()
})
