import { assert, property, string } from "fast-check"
import { describe, expect, it } from "vitest"
import { CHRF_CASES } from "../testing/chrf-cases.ts"
import { OVERLAP_CASES } from "../testing/overlap-cases.ts"
import { CORPUS_SCORES, SENTENCE_CASES } from "../testing/sentence-cases.ts"
import { type ChrfOptions, createCorpusChrf, sentenceChrf } from "./chrf.ts"

describe("chrF", () => {
  it.each(SENTENCE_CASES)("gives the sentence $candidate the score of sacreBLEU", ({ candidate, references, chrf }) => {
    expect(sentenceChrf(candidate, references)).toBeCloseTo(chrf, 6)
  })

  it.each(OVERLAP_CASES)(
    "counts words as chrF++ of sacreBLEU: $candidate",
    ({ candidate, references, chrfPlusPlus }) => {
      expect(sentenceChrf(candidate, references, { wordOrder: 2 })).toBeCloseTo(chrfPlusPlus, 9)
    },
  )

  it("gives a corpus the score of sacreBLEU", () => {
    const corpus = createCorpusChrf()
    for (const { candidate, references } of SENTENCE_CASES) corpus.add(candidate, references)
    expect(corpus.score()).toBeCloseTo(CORPUS_SCORES.chrf, 6)
  })

  it.each(CHRF_CASES)("has the reference value of $id", ({ input, expect: { score } }) => {
    const corpus = createCorpusChrf(readOptions(input.options))
    input.hypotheses.forEach((candidate, row) =>
      corpus.add(
        candidate,
        input.references.map((stream) => stream[row] ?? ""),
      ),
    )
    expect(corpus.score()).toBeCloseTo(score, 6)
  })

  it("is NaN before anything was added", () => {
    expect(createCorpusChrf().score()).toBeNaN()
  })

  it("refuses a candidate without references", () => {
    expect(() => sentenceChrf("a", [])).toThrow("references: is empty")
  })

  it("is 0 to 100, 100 for the reference itself, and ignores white space", () => {
    assert(
      property(string({ unit: "grapheme" }), string({ unit: "grapheme" }), (candidate, reference) => {
        const score = sentenceChrf(candidate, [reference])
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(100 + 1e-9)
        expect(sentenceChrf(`${candidate}x`, [reference, `${candidate} x`])).toBeCloseTo(100, 9)
      }),
    )
  })
})

function readOptions({ beta, eps_smoothing, remove_whitespace }: Readonly<Record<string, unknown>>): ChrfOptions {
  return {
    beta: Number(beta),
    epsilonSmoothing: eps_smoothing === true,
    withSpace: remove_whitespace === false,
  }
}
