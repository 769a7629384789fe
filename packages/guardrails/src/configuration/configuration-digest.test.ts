import { GuardrailData } from "@assay/schemas"
import { compileCheck } from "@assay/validation"
import { expect, it } from "vitest"
import { configurationDigest, digestAt } from "./configuration-digest.ts"
import { withoutThreshold, withThreshold } from "./input-threshold.ts"

const FLOW = "self check input"
const base: GuardrailData = { rails: { input: { flows: [FLOW] } }, policies: { [FLOW]: { on_error: "block" } } }

it("The digest of a configuration changes with one character, and not with the order of its keys", () => {
  const data: GuardrailData = { policies: { [FLOW]: { on_error: "block" } }, rails: base.rails ?? {}, refusal: "No." }
  expect(configurationDigest({ refusal: "No.", ...base })).toBe(configurationDigest(data))
  expect(configurationDigest({ ...data, refusal: "No!" })).not.toBe(configurationDigest(data))
})

it("The digest of a configuration is made of its digest without a threshold, and of the threshold", () => {
  const at = withThreshold(base, 0.8)
  expect(at?.policies).toEqual({ [FLOW]: { on_error: "block", threshold: 0.8 } })
  expect(configurationDigest(at ?? {})).toBe(digestAt(configurationDigest(base), 0.8))
  expect(configurationDigest(withThreshold(base, 0.81) ?? {})).not.toBe(digestAt(configurationDigest(base), 0.8))
})

it.each<[string, GuardrailData]>([
  ["without policies", { rails: base.rails ?? {} }],
  ["with empty policies", { rails: base.rails ?? {}, policies: {} }],
  ["with an empty policy of the rail", { rails: base.rails ?? {}, policies: { [FLOW]: {} } }],
  ["with a policy", base],
  ["with another threshold", { ...base, policies: { [FLOW]: { threshold: 0.3 } } }],
])("A configuration %s is the same after its threshold was set and removed", (_what, data) => {
  const at = withThreshold(data, 0.8) ?? {}
  expect(withoutThreshold(at)).toEqual({ data: withoutThreshold(data).data, threshold: 0.8 })
  expect(configurationDigest(at)).toBe(digestAt(configurationDigest(withoutThreshold(data).data), 0.8))
})

it("A threshold of a rail that is not the only one is part of the configuration itself", () => {
  const two = { rails: { input: { flows: [FLOW, "content safety check input"] } } }
  expect(withThreshold(two, 0.8)).toBeNull()
  const digest = (threshold: number) => configurationDigest({ ...two, policies: { [FLOW]: { threshold } } })
  expect(digest(0.8)).not.toBe(digest(0.9))
})

it("A configuration has the same digest after a server filled the defaults of its fields", () => {
  const data: GuardrailData = {
    models: [{ type: "main", model: "m", url: "http://127.0.0.1:9/v1" }],
    rails: { input: { flows: [FLOW] }, output: { flows: [], streaming: { enabled: true } } },
    policies: { [FLOW]: { threshold: 0.8 } },
  }
  const stored = compileCheck(GuardrailData)(structuredClone(data))
  expect(stored).toMatchObject({
    value: { models: [{ engine: "openai" }], policies: { [FLOW]: { on_error: "error" } } },
  })
  expect(configurationDigest(stored.valid ? stored.value : {})).toBe(configurationDigest(data))
  const other = { ...data, policies: { [FLOW]: { threshold: 0.8, on_error: "allow" as const } } }
  expect(configurationDigest(other)).not.toBe(configurationDigest(data))
})
