import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import { judgeParameters } from "./judge-parameters.ts"

const NOTHING = { own: {}, maxTokens: undefined, schema: null, logprobs: false }
const memory = () => ({ refused: new Set<"max_tokens" | "response_format">(), takesSchema: false })

describe("judgeParameters", () => {
  it("asks at temperature 0 for 256 tokens, or 2,048 where the judge reasons", verifies("rails.tokens"), () => {
    expect(judgeParameters(NOTHING, memory())).toEqual({ temperature: 0, max_tokens: 256 })
    for (const own of [{ reasoning_effort: "low" }, { chat_template_kwargs: { enable_thinking: true } }]) {
      expect(judgeParameters({ ...NOTHING, own }, memory())).toMatchObject({ max_tokens: 2048 })
    }
    const own = { chat_template_kwargs: { enable_thinking: false } }
    expect(judgeParameters({ ...NOTHING, own }, memory())).toMatchObject({ max_tokens: 256 })
  })

  it("lets the prompt's limit win over the model's, and the model's over ours", () => {
    const own = { max_tokens: 64, temperature: 0.2 }
    expect(judgeParameters({ ...NOTHING, own }, memory())).toEqual({ temperature: 0.2, max_tokens: 64 })
    expect(judgeParameters({ ...NOTHING, own, maxTokens: 16 }, memory())).toMatchObject({ max_tokens: 16 })
  })

  it("leaves out what the configuration sets to null", () => {
    expect(judgeParameters({ ...NOTHING, own: { temperature: null, max_tokens: null } }, memory())).toEqual({})
  })

  it("uses the other name for the limit where max_tokens was refused", () => {
    const refusing = { ...memory(), refused: new Set(["max_tokens"] as const) }
    expect(judgeParameters(NOTHING, refusing)).toEqual({ temperature: 0, max_completion_tokens: 256 })
  })
})
