import { describe, expect, it } from "vitest"
import { readTokenUsage } from "./read-token-usage.ts"

describe("readTokenUsage", () => {
  it("reads input_tokens and output_tokens of endpoints that name them so", () => {
    expect(readTokenUsage({ input_tokens: 12, output_tokens: 3 })).toEqual({
      prompt_tokens: 12,
      completion_tokens: 3,
      total_tokens: 15,
    })
  })

  it("prefers prompt_tokens and completion_tokens if an answer has both names", () => {
    const usage = { prompt_tokens: 10, input_tokens: 99, completion_tokens: 2, output_tokens: 99, total_tokens: 12 }
    expect(readTokenUsage(usage)).toEqual({ prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 })
  })

  it.each(["12", 1.5, -1, 2 ** 54])("returns null for input_tokens %j, which is not a count", (input_tokens) => {
    expect(readTokenUsage({ input_tokens })).toBeNull()
  })
})
