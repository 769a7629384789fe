import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { judgeParameters } from "./judge-parameters.ts"

const NOTHING = { own: {}, maxTokens: undefined, schema: null, logprobs: false }
const memory = () => ({ refused: new Set<"max_tokens" | "response_format">(), takesSchema: false })

describe("judgeParameters", () => {
  it("sets temperature 0 and 256 tokens, or 2,048 if the judge reasons", verifies("rails.tokens"), () => {
    expect(judgeParameters(NOTHING, memory())).toEqual({ temperature: 0, max_tokens: 256 })
    for (const own of [{ reasoning_effort: "low" }, { chat_template_kwargs: { enable_thinking: true } }]) {
      expect(judgeParameters({ ...NOTHING, own }, memory())).toMatchObject({ max_tokens: 2048 })
    }
    const own = { chat_template_kwargs: { enable_thinking: false } }
    expect(judgeParameters({ ...NOTHING, own }, memory())).toMatchObject({ max_tokens: 256 })
  })

  it("prefers the limit of the prompt to that of the model, and that to the default", () => {
    const own = { max_tokens: 64, temperature: 0.2 }
    expect(judgeParameters({ ...NOTHING, own }, memory())).toEqual({ temperature: 0.2, max_tokens: 64 })
    expect(judgeParameters({ ...NOTHING, own, maxTokens: 16 }, memory())).toMatchObject({ max_tokens: 16 })
  })

  it("leaves out parameters that the configuration sets to null", () => {
    expect(judgeParameters({ ...NOTHING, own: { temperature: null, max_tokens: null } }, memory())).toEqual({})
  })

  it("uses the other name of the limit if max_tokens was refused", () => {
    const refusing = { ...memory(), refused: new Set(["max_tokens"] as const) }
    expect(judgeParameters(NOTHING, refusing)).toEqual({ temperature: 0, max_completion_tokens: 256 })
  })
})
