import { createFakeLanguages, type FakeLanguage, startFakeInference, verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { createTestClient } from "../testing/open-test-client.ts"
import { readPromptTokens, type PromptToken } from "./read-prompt-tokens.ts"

const tiny = createFakeLanguages()["tiny-lm"] as FakeLanguage
const ECHO = { echo: true, logprobs: 1, max_tokens: 1 }
const LISTED = { prompt_logprobs: 1, max_tokens: 1 }

async function tokensOf(prompts: readonly string[], parameters: object, more: Partial<FakeLanguage> = {}) {
  const server = await startFakeInference({ languages: { lm: { ...tiny, ...more } } })
  onTestFinished(() => server.close())
  const { client } = createTestClient({ url: server.url, model: "lm" })
  const { body } = await client.completeText({ prompt: prompts, parameters: { ...parameters } })
  return readPromptTokens(prompts, body)
}

/** Returns the tokens that an answer should have: those of the language itself. */
function expected(prompt: string, begin?: string): readonly PromptToken[] {
  const tokens = tiny.tokenize(prompt)
  let position = 0
  return tokens.map((token, at) => {
    const before = [...(begin === undefined ? [] : [begin]), ...tokens.slice(0, at)]
    const start = position
    position += token.length
    const isFirst = at === 0 && begin === undefined
    return {
      start,
      end: position,
      logprob: isFirst ? null : tiny.logprob(before, token),
      isLikeliest: isFirst ? null : tiny.next(before) === token,
    }
  })
}

describe("the tokens of prompts", () => {
  const prompts = ["The capital of France is Paris.", "The cat 🐈 saw the größte dog"]

  it.each([
    ["echo", ECHO],
    ["prompt_logprobs", LISTED],
  ])(
    "are read from %s, with and without a token before the text",
    verifies("inference.prompt-tokens"),
    async (_, parameters) => {
      expect(await tokensOf(prompts, parameters)).toEqual({ prompts: prompts.map((one) => expected(one)) })
      for (const begin of ["<s>", "<|begin_of_text|>"]) {
        expect(await tokensOf(prompts, parameters, { begin })).toEqual({
          prompts: prompts.map((one) => expected(one, begin)),
        })
      }
    },
  )

  it("are missing if the endpoint ignores the parameters", verifies("inference.prompt-tokens"), async () => {
    const missing = (part: string) => ({ missing: expect.stringContaining(part) })
    expect(await tokensOf(prompts, ECHO, { gives: "none" })).toEqual(missing("new tokens only"))
    expect(await tokensOf(prompts, LISTED, { gives: "echo" })).toEqual(missing("no log-probabilities"))
    expect(readPromptTokens(prompts, { choices: [{ index: 0 }] })).toEqual(missing("no log-probabilities"))
    expect(readPromptTokens([], { choices: 7 })).toEqual({ prompts: [] })
  })

  const echoed = (prompt: string, tokens: readonly string[], text_offset: readonly number[]) =>
    readPromptTokens([prompt], {
      choices: [
        {
          text: `${prompt}!`,
          logprobs: { tokens, text_offset, token_logprobs: tokens.map((_, at) => (at === 0 ? null : -at)) },
        },
      ],
    })
  const startsOf = (read: ReturnType<typeof readPromptTokens>) =>
    "missing" in read ? read.missing : read.prompts[0]?.map(({ start }) => start)

  it("are found by their texts if offsets do not fit", () => {
    expect(startsOf(echoed("Hello you", ["▁Hello", "▁you", "!"], [0, 6, 10]))).toEqual([0, 5])
    // A character of four bytes in three tokens.
    expect(startsOf(echoed("a 🐈 b", ["a", " \uFFFD", "\uFFFD", "\uFFFD", " b", "!"], [0, 1, 3, 4, 5, 7]))).toEqual([
      0, 1, 1, 1, 4,
    ])
    expect(startsOf(echoed("a b", ["a", "b", "!"], []))).toContain("can't be found")
    expect(startsOf(echoed("a b", ["x", "y", "z"], [0, 1, 5]))).toContain("can't be found")
  })

  it("are found by offsets if the tokens are names of bytes", () => {
    expect(startsOf(echoed("é!", ["bytes:\\xc3", "bytes:\\xa9", "!", "!"], [0, 0, 1, 2]))).toEqual([0, 0, 1])
  })
})
