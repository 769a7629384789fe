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

  it.each([
    [{ input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 1000, cache_creation_input_tokens: 50 }, 1060, 2],
    [{ input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 1000, total_tokens: 12 }, 1010, 2],
    [{ input_tokens: 1010, output_tokens: 2, cache_read_input_tokens: 1000, total_tokens: 1012 }, 1010, 2],
    [{ prompt_tokens: 1010, completion_tokens: 2, cache_read_input_tokens: 1000 }, 1010, 2],
    [{ prompt_tokens: 10, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 100 } }, 10, 102],
    [
      {
        prompt_tokens: 10,
        completion_tokens: 2,
        total_tokens: 112,
        completion_tokens_details: { reasoning_tokens: 100 },
      },
      10,
      102,
    ],
    [
      {
        prompt_tokens: 10,
        completion_tokens: 2,
        total_tokens: 12,
        completion_tokens_details: { reasoning_tokens: 100 },
      },
      10,
      2,
    ],
    [{ prompt_tokens: 10, completion_tokens: 120, completion_tokens_details: { reasoning_tokens: 100 } }, 10, 120],
    [{ input_tokens: 10, output_tokens: 2, output_tokens_details: { reasoning_tokens: 100 } }, 10, 102],
  ])("counts what the cache and reasoning of %j add", (usage, prompt, completion) => {
    const total = prompt + completion
    expect(readTokenUsage(usage)).toEqual({ prompt_tokens: prompt, completion_tokens: completion, total_tokens: total })
  })

  it("knows no total that is below the only part that is known", () => {
    const usage = { prompt_tokens: 10, completion_tokens: -2, total_tokens: 8 }
    expect(readTokenUsage(usage)).toEqual({ prompt_tokens: 10, completion_tokens: null, total_tokens: null })
  })

  it.each(["12", 1.5, -1, 2 ** 54])("returns null for input_tokens %j, which is not a count", (input_tokens) => {
    expect(readTokenUsage({ input_tokens })).toBeNull()
  })
})
