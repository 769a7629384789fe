import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { runParams } from "./run-params.ts"

describe("parameters of a run", () => {
  it("have defaults", () => {
    expect(runParams()).toEqual({
      parallelism: 8,
      callLimits: { maxRetries: 3, maxRateLimitWaitMs: 300_000, timeoutMs: 60_000 },
      maxFailedShare: 0.1,
      shardRows: 1000,
      repeats: 1,
      limit: undefined,
      isCached: false,
      clusterBy: undefined,
      slices: [],
      inference: {},
    })
  })

  it.each([
    [1e300, 5, 86_400_000, 1],
    [-1, -1, 1, 0],
    [0, 0, 1, 0],
    [1e-9, 0.5, 1, 0.5],
  ])("bring a timeout of %d s and a share of %d within their bounds", (request_timeout, share, timeoutMs, most) => {
    expect(runParams({ request_timeout, max_failed_share: share })).toMatchObject({
      callLimits: { timeoutMs },
      maxFailedShare: most,
    })
  })

  it("come from the task before the configuration, and null counts as absent", () => {
    const config = {
      parallelism: 2,
      request_timeout: 5,
      cache: true,
      max_tokens: 9,
      seed: 4,
      extra: { top_k: 1, top_p: 0.1 },
    }
    const task = {
      parallelism: 3,
      request_timeout: null,
      cache: false,
      cluster_by: "document",
      temperature: 0,
      extra: { top_k: 2 },
      template: "x",
      judge: {},
    }
    expect(runParams(config, task)).toMatchObject({
      parallelism: 3,
      callLimits: { timeoutMs: 5000 },
      isCached: false,
      clusterBy: "document",
    })
    expect(runParams(config, task).inference).toEqual({ max_tokens: 9, seed: 4, temperature: 0, top_k: 2, top_p: 0.1 })
  })

  it("set how long calls wait for rate limits, or that they do not wait", verifies("inference.rate-limit"), () => {
    expect(runParams({ max_rate_limit_wait: 30 }, { max_rate_limit_wait: null }).callLimits.maxRateLimitWaitMs).toBe(
      30_000,
    )
    expect(runParams({ max_rate_limit_wait: 30 }, { max_rate_limit_wait: 0 }).callLimits.maxRateLimitWaitMs).toBe(0)
  })

  it("leave out the key of a hub, which some clients put among them", () => {
    const extra = { top_k: 1, hf_token: "******", hf_token_secret: "eval-key-1" }
    expect(runParams({ extra }).inference).toEqual({ top_k: 1 })
  })
})
