import { readFileSync } from "node:fs"
import { join } from "node:path"
import { startFakeInference } from "@assay/testkit"
import { expect, it } from "vitest"
import type { LaunchSubject } from "@assay/attempts"
import { createTestRuns } from "../testing/cut-runs/cut-run-of-test.ts"
import { runShardLocally } from "./local-processes.ts"
import { openRunPaces } from "./open-run-paces.ts"

const jobOf = (url: string): LaunchSubject => ({
  namespace: "default",
  target: { type: "model", model: { api_endpoint: { url, model_id: "echo" } } },
  config: {
    type: "custom",
    tasks: {
      qa: {
        params: { template: "{{ item.q }}" },
        dataset: { files_url: "./rows.jsonl" },
        metrics: { tokens: { type: "tokens" } },
      },
    },
  },
})

it("A shard goes on without a database that does not respond, and its log says so once", async () => {
  await using resources = new AsyncDisposableStack()
  const model = resources.adopt(await startFakeInference(), (fake) => fake.close())
  using runs = createTestRuns({ "rows.jsonl": '{"q":"a"}\n{"q":"b"}\n' })
  const store = await runs.open("run")
  await runs.cut(store, jobOf(model.url), { shards: 1 })
  await using opened = openRunPaces({ url: "postgres://127.0.0.1:9/assay", now: Date.now })
  const said: string[] = []
  const end = await runShardLocally(runs.ports, store, {
    index: 0,
    paces: opened.paces,
    onNotShared: (message) => said.push(message),
    onProgress: () => {},
    onLog: () => {},
    signal: new AbortController().signal,
  })
  expect(end).toMatchObject({ kind: "published", progress: { processed: 2, failed: 0 } })
  expect(said).toEqual([
    expect.stringMatching(/^The rates of endpoints are not shared, and this shard keeps to its own/),
  ])
  await runs.merge(store)
  const log = readFileSync(join(runs.folder, "run/results/evaluation.log"), "utf8")
  expect(log.split("The rates of endpoints are not shared")).toHaveLength(2)
})
