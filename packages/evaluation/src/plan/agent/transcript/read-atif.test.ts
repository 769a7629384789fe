import { describe, expect, it } from "vitest"
import { readAtif } from "./read-atif.ts"

const step = (metrics: object | undefined, more: object = {}) => ({ source: "agent", message: "a", metrics, ...more })
const usageOf = (...steps: readonly object[]) => readAtif({ schema_version: "ATIF-v1.7", steps })?.usage

describe("the tokens of a trajectory", () => {
  it("are not known if one step of the agent does not say them", () => {
    const known = { prompt_tokens: 5, completion_tokens: 1 }
    const all = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }
    expect(usageOf(step(known), { source: "user", message: "b" }, step(known))).toEqual(all)
    expect(usageOf(step(known), step(undefined, { llm_call_count: 0 }), step(known))).toEqual(all)
    expect(usageOf(step(known), step(undefined))).toBeNull()
    expect(usageOf(step(known), step({ ...known, completion_tokens: "1" }))).toEqual({
      prompt_tokens: 10,
      completion_tokens: null,
      total_tokens: null,
    })
  })
})
