import { describe, expect, it } from "vitest"
import { verdictRisk } from "./verdict-risk.ts"

function tokens(words: readonly string[], top: Readonly<Record<string, number>>) {
  const alternatives = Object.entries(top).map(([token, share]) => ({ token, logprob: Math.log(share) }))
  return words.map((token) => ({ token, logprob: Math.log(top[token] ?? 1), top: token in top ? alternatives : [] }))
}

describe("verdictRisk", () => {
  it("is the share of the blocking word if the verdict has no key", () => {
    const said = tokens(["<think>", "no, yes", "</think>", "\n", "No"], { No: 0.6, Yes: 0.2, Maybe: 0.2 })
    expect(verdictRisk(said, "self-check", "input")?.risk).toBeCloseTo(0.25)
  })

  it("is read after the key of the rail's side", () => {
    const said = tokens(['{"', "User", " Safety", '":', ' "', "safe", '", "Response', " Safety", '": "', "unsafe"], {
      safe: 0.1,
      unsafe: 0.3,
    })
    expect(verdictRisk(said, "user-safety-json", "output")?.risk).toBeCloseTo(0.75)
    expect(verdictRisk(said.slice(0, 6), "user-safety-json", "output")).toBeNull()
    expect(verdictRisk(said.slice(0, 6), "user-safety-json", "input")?.risk).toBeCloseTo(0.75)
  })

  it("assigns pieces of words to the words of the family", () => {
    expect(verdictRisk(tokens(["un", "safe"], { un: 0.9, safe: 0.1 }), "llama-guard", "input")?.risk).toBeCloseTo(0.9)
    const lines = tokens(["Prompt harm:", " un", "harmful"], { " un": 0.9, " harm": 0.1 })
    expect(verdictRisk(lines, "harm-lines", "input")?.risk).toBeCloseTo(0.1)
  })

  it("gives a word that is not listed the probability that the listed tokens leave over", () => {
    const alone = [{ token: "No", logprob: Math.log(0.9), top: [] }]
    expect(verdictRisk(alone, "self-check", "input")).toEqual({ risk: expect.closeTo(0.1), said: "safe" })
    expect(verdictRisk(tokens(["No"], { No: 0.5, Perhaps: 0.3 }), "self-check", "input")?.risk).toBeCloseTo(0.2 / 0.7)
  })

  it("is null if the log-probabilities are not numbers, so that they never count as a small risk", () => {
    const hostile = [{ token: "No", logprob: Infinity, top: [{ token: "Yes", logprob: Infinity }] }]
    expect(verdictRisk(hostile, "self-check", "input")).toBeNull()
    expect(verdictRisk([{ token: "No", logprob: NaN, top: [] }], "self-check", "input")).toBeNull()
  })

  it("is null if no verdict begins", () => {
    expect(verdictRisk(tokens(["It", " is", " safe"], { " safe": 1 }), "llama-guard", "input")).toBeNull()
  })
})
