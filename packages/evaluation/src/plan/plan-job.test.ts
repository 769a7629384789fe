import { AssayError, type EvaluationConfigBody } from "@assay/schemas"
import { createOutages } from "@assay/storage"
import { expect, it } from "vitest"
import { testEnvironment } from "../testing/test-environment.ts"
import { planJob } from "./plan-job.ts"

it("a plan waits for storage that does not respond, and its tasks are shaped once", async () => {
  let opened = 0
  let shaped = 0
  const environment = testEnvironment(undefined, {
    openDataset() {
      opened += 1
      const code = opened < 3 ? "unavailable" : "dataset_missing"
      return Promise.reject(new AssayError(code, "There is no response."))
    },
    outages: createOutages({ now: () => 0, random: () => 0, sleep: async () => {} }),
  })
  const config: EvaluationConfigBody = {
    type: "custom",
    get tasks() {
      shaped += 1
      return { qa: { type: "data", metrics: { em: { type: "exact-match", params: { reference: "{{ item.ref }}" } } } } }
    },
  }
  const job = {
    namespace: "default",
    target: { type: "dataset", dataset: { files_url: "hf://datasets/default/rows" } },
    config,
  } as const
  const { signal } = new AbortController()
  await expect(planJob(job, environment, { signal })).rejects.toMatchObject({ code: "dataset_missing" })
  expect(opened).toBe(3)
  // Once for the tasks, and once for their gates.
  expect(shaped).toBeLessThanOrEqual(2)
})
