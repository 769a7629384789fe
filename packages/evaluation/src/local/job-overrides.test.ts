import { expect, it } from "vitest"
import { applyOverrides } from "./apply-overrides.ts"
import { mapDatasets } from "./map-datasets.ts"

it("options win over the file, and over a task's own params", () => {
  const config = {
    type: "custom" as const,
    params: { parallelism: 2, temperature: 0 },
    tasks: { own: { params: { limit_samples: 100, top_p: 1 } }, plain: { type: "data" } },
  }
  const changed = applyOverrides(config, { limit: 5, maxFail: 0.2 })
  expect(changed.params).toEqual({ parallelism: 2, temperature: 0, limit_samples: 5, max_failed_share: 0.2 })
  expect(changed.tasks).toEqual({
    own: { params: { limit_samples: 5, top_p: 1, max_failed_share: 0.2 } },
    plain: { type: "data" },
  })
  expect(applyOverrides(config, {})).toBe(config)
})

it("every place that names rows is found, wherever it stands, and nothing else", () => {
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
