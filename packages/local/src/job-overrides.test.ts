import { expect, it } from "vitest"
import { applyOverrides } from "./job-overrides.ts"

it("applyOverrides replaces params of the configuration and of each task that sets its own", () => {
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
  const paced = applyOverrides(config, { rate: 3, parallelism: 1 })
  expect([paced.params?.rate, paced.tasks?.["own"]?.params]).toEqual([3, { limit_samples: 100, top_p: 1 }])
})
