import type { PromptToken } from "@assay/inference"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { textLikelihood } from "./text-likelihood.ts"

/** Tokens of a prompt that are given as texts, with log-probabilities -1, -2, … The first has none. */
function tokensOf(texts: readonly string[], first: number | null = null): readonly PromptToken[] {
  let position = 0
  return texts.map((text, at) => {
    const start = position
    position += text.length
    return { start, end: position, logprob: at === 0 ? first : -at, isLikeliest: at === 0 ? null : at < 3 }
  })
}

describe("the likelihood of a text", () => {
  it("is the sum over its tokens without those of the context", verifies("metric.loglikelihood"), () => {
    const tokens = tokensOf(["The", " capital", " is", " Paris"])
    expect(textLikelihood({ context: "The capital", text: " is Paris" }, tokens)).toEqual({
      text: " is Paris",
      logprob: -5,
      tokens: 2,
      is_greedy: false,
      words: 2,
      bytes: 9,
    })
  })

  it.each([
    ["a\u0085b", 2],
    ["a\u001Cb", 2],
    ["\uFEFFa b", 2],
    ["a\uFEFFb c", 2],
    [" a b", 3],
  ])("counts the words of %j as Python splits it", (text, words) => {
    const tokens = tokensOf([text.slice(0, 1), text.slice(1)], -1)
    expect(textLikelihood({ context: "", text }, tokens).words).toBe(words)
  })

  it("counts blanks at the end of the context, and a token of both, for the text", () => {
    const spaced = tokensOf(["The", " cat", " sat"])
    expect(textLikelihood({ context: "The cat ", text: "sat" }, spaced)).toMatchObject({
      logprob: -2,
      tokens: 1,
      bytes: 3,
    })
    const shared = tokensOf(["A", "nswer:Par", "is"])
    expect(textLikelihood({ context: "Answer:", text: "Paris" }, shared)).toMatchObject({ logprob: -3, tokens: 2 })
  })

  it(
    "leaves out the first token if nothing precedes it, with its words and bytes",
    verifies("metric.loglikelihood"),
    () => {
      const texts = ["The", " größte", " cat"]
      expect(textLikelihood({ context: "", text: "The größte cat" }, tokensOf(texts))).toMatchObject({
        logprob: -3,
        tokens: 2,
        is_greedy: true,
        words: 2,
        bytes: 13,
      })
      expect(textLikelihood({ context: "", text: "The größte cat" }, tokensOf(texts, -7))).toMatchObject({
        logprob: -10,
        is_greedy: null,
        words: 3,
        bytes: 16,
      })
    },
  )

  it("counts the words of a whole text as lm-evaluation-harness does: the text split at blanks", () => {
    const text = " The cat\n"
    expect(textLikelihood({ context: "", text }, tokensOf([text], -1))).toMatchObject({ words: 4 })
  })

  it("does not exist without a token that has a log-probability", () => {
    expect(() => textLikelihood({ context: "", text: "Hello" }, tokensOf(["Hello"]))).toThrow("a context before it")
    const holed = [...tokensOf(["A", " b"]), { start: 3, end: 5, logprob: null, isLikeliest: null }]
    expect(() => textLikelihood({ context: "A", text: " b c" }, holed)).toThrow("the token at character 3")
  })
})
