import { array, assert, constantFrom, property, record } from "fast-check"
import { describe, expect, it } from "vitest"
import { BLEU_CASES } from "../../testing/bleu-cases.ts"
import { OVERLAP_CASES } from "../../testing/overlap-cases.ts"
import { CORPUS_SCORES, SENTENCE_CASES } from "../../testing/sentence-cases.ts"
import { bleuCounts, type BleuOptions, createCorpusBleu, sentenceBleu } from "./bleu.ts"
import { tokenize13a } from "./bleu-tokenizer.ts"

const words = array(constantFrom("the", "cat", "sat", "on", "a", "mat.", "3,5", "naïve"), { maxLength: 12 })
const text = words.map((list) => list.join(" "))

describe("BLEU", () => {
  it.each(SENTENCE_CASES)("gives the sentence $candidate the score of sacreBLEU", ({ candidate, references, bleu }) => {
    expect(sentenceBleu(candidate, references)).toBeCloseTo(bleu, 6)
  })

  it.each(OVERLAP_CASES)("splits as intl of sacreBLEU: $candidate", ({ candidate, references, bleuIntl }) => {
    expect(sentenceBleu(candidate, references, { tokenizer: "intl" })).toBeCloseTo(bleuIntl, 9)
  })

  it("gives a corpus the score of sacreBLEU", () => {
    expect(corpusOf(SENTENCE_CASES)).toBeCloseTo(CORPUS_SCORES.bleu, 6)
  })

  it.each(BLEU_CASES)("has the reference value of $id", ({ input, expect: { score } }) => {
    const corpus = createCorpusBleu(readOptions(input.options))
    input.hypotheses.forEach((candidate, row) =>
      corpus.add(
        candidate,
        input.references.map((stream) => stream[row] ?? ""),
      ),
    )
    expect(corpus.score()).toBeCloseTo(score, 6)
  })

  it("counts the same n-grams as sacreBLEU", () => {
    const counts = bleuCounts(
      "am I am a character sequence".split(" "),
      ["I am a symbol string sequence a a".split(" ")],
      4,
    )
    expect(counts).toMatchObject({ matches: [4, 2, 1, 0], totals: [6, 5, 4, 3] })
  })

  it("uses the closest reference length, and the shorter of two equally close ones", () => {
    const [own, longer, shorter] = ["a b c d", "a b c d e", "a b c"].map((text) => text.split(" "))
    const counts = bleuCounts(own ?? [], [longer ?? [], shorter ?? []], 4)
    expect(counts.referenceLength).toBe(3)
  })

  it("smooths with the floor method", () => {
    const options = { smoothing: "floor", smoothingValue: 0.01 } as const
    expect(sentenceBleu("a little test", ["a test"], options)).toBeCloseTo(3.218297948685433, 6)
  })

  it("is NaN before anything was added, and 0 if no n-gram matches", () => {
    expect(createCorpusBleu().score()).toBeNaN()
    expect(sentenceBleu("", ["a b"])).toBe(0)
    expect(sentenceBleu("x", [""])).toBe(0)
  })

  it("refuses a candidate without references", () => {
    expect(() => sentenceBleu("a", [])).toThrow("references: is empty; give at least one reference.")
  })

  it("is 0 to 100, and 100 for the reference itself", () => {
    assert(
      property(text, text, text, (candidate, first, second) => {
        const score = sentenceBleu(candidate, [first, second])
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(100)
        if (candidate !== "") expect(sentenceBleu(candidate, [first, candidate])).toBeCloseTo(100, 9)
      }),
    )
  })

  it("does not depend on the order of rows or references", () => {
    const rows = array(record({ candidate: text, references: array(text, { minLength: 1, maxLength: 3 }) }))
    assert(
      property(rows, (list) => {
        const turned = list.map((row) => ({ ...row, references: row.references.toReversed() })).toReversed()
        expect(corpusOf(turned)).toBe(corpusOf(list))
      }),
    )
  })

  it("separates punctuation marks and keeps numbers whole", () => {
    expect(tokenize13a("It's 1,234.5 (or 5-10%), &quot;so&quot;.").join(" ")).toBe(
      `It's 1,234.5 ( or 5 - 10 % ) , " so " .`,
    )
  })
})

function corpusOf(rows: readonly { readonly candidate: string; readonly references: readonly string[] }[]): number {
  const corpus = createCorpusBleu()
  for (const { candidate, references } of rows) {
    corpus.add(candidate, references.length === 1 ? [...references, ...references] : references)
  }
  return corpus.score()
}

function readOptions(options: Readonly<Record<string, unknown>>): BleuOptions {
  const names: Readonly<Record<string, keyof BleuOptions>> = {
    smooth_method: "smoothing",
    smooth_value: "smoothingValue",
    max_ngram_order: "maxOrder",
    effective_order: "effectiveOrder",
    tokenize: "tokenizer",
    lowercase: "lowercase",
  }
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [names[name] ?? name, value]))
}
