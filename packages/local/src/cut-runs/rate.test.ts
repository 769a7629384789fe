import { startFakeInference } from "@assay/testkit"
import { expect, it, vi } from "vitest"
import type { LaunchSubject } from "@assay/attempts"
import { createTestRuns } from "../testing/cut-runs/cut-run-of-test.ts"

it("A job sends its requests evenly at its rate, and each of its shards at its part of the rate", async () => {
  await using resources = new AsyncDisposableStack()
  const fake = await startFakeInference({ models: { echo: () => ({ content: "yes" }) } })
  resources.defer(() => fake.close())
  using runs = createTestRuns({ "rows.jsonl": Array.from({ length: 8 }, (_, row) => `{"row":${row}}`).join("\n") })
  const job: LaunchSubject = {
    namespace: "default",
    target: { type: "model", model: { api_endpoint: { url: fake.url, model_id: "echo" } } },
    config: {
      type: "custom",
      params: { parallelism: 4, rate: 10 },
      tasks: {
        qa: {
          params: { template: "{{ item.row }}" },
          dataset: { files_url: "./rows.jsonl" },
          metrics: { tokens: { type: "tokens" } },
        },
      },
    },
  }
  // Time stands still, so that each wait is that of its turn.
  vi.spyOn(runs.ports.inference, "now").mockReturnValue(0)
  const sleep = vi.spyOn(runs.ports.inference, "sleep")
  const waits = () => {
    const found = sleep.mock.calls.map(([ms]) => ms)
    sleep.mockClear()
    return found.toSorted((a, b) => a - b)
  }
  await runs.runWhole(job, "whole")
  expect(waits()).toEqual([100, 200, 300, 400, 500, 600, 700])
  const store = await runs.open("run")
  await runs.cut(store, job, { shards: 4, atOnce: 2 })
  await runs.shard(store, 0)
  const [first = 0, second] = waits()
  // The rate of a second shard at the same time is half, and a shard before may have just sent its last request.
  expect(first >= 200 && first < 400).toBe(true)
  expect(second).toBe(first + 200)
})
