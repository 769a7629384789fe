import { array, assert, constantFrom, property } from "fast-check"
import { describe, expect, it } from "vitest"
import { OVERLAP_CASES } from "../../testing/overlap-cases.ts"
import { ROUGE_CASES, STEMMED_CASES } from "../../testing/rouge-cases.ts"
import { STEM_CASES } from "../../testing/stem-cases.ts"
import { finishSteps } from "../../statistics/steps.ts"
import { commonSubsequenceLength } from "./common-subsequence-length.ts"
import { createRouge } from "./rouge.ts"
import { porterStem } from "./porter-stem.ts"

const tokens = array(constantFrom("a", "b", "c", "d"), { maxLength: 100 })

describe("ROUGE", () => {
  it.each(ROUGE_CASES)("has the reference value of $id", ({ input, expect: { precision, recall, fmeasure } }) => {
    const scores = createRouge({ stemmer: input.stemmer }).score(input.candidate, input.reference)
    const score = scores[input.type as keyof typeof scores]
    expect(score.precision).toBeCloseTo(precision, 9)
    expect(score.recall).toBeCloseTo(recall, 9)
    expect(score.fMeasure).toBeCloseTo(fmeasure, 9)
  })

  it.each(OVERLAP_CASES)("has the ROUGE-Lsum of rouge-score: $candidate", ({ candidate, references, rougeLsum }) => {
    const { rougeLsum: own } = createRouge({ stemmer: false }).score(candidate, references[0] ?? "")
    expect(own.fMeasure).toBeCloseTo(rougeLsum, 9)
  })

  it("has no ROUGE-Lsum for lines whose table would take seconds", () => {
    const text = `${"a ".repeat(20_000)}\nb`
    const { rougeL, rougeLsum } = createRouge().score(text, text)
    expect([rougeL.fMeasure, rougeLsum.fMeasure]).toEqual([1, Number.NaN])
  })

  it.each(STEMMED_CASES)("compares the stems of $candidate", ({ candidate, reference, fMeasures }) => {
    const scores = createRouge().score(candidate, reference)
    for (const [type, value] of Object.entries(fMeasures)) {
      expect(scores[type as keyof typeof scores].fMeasure).toBeCloseTo(value, 9)
    }
  })

  it("is 0 to 1, and 1 for the reference itself", () => {
    const text = tokens.map((list) => list.join(" "))
    const rouge = createRouge()
    assert(
      property(text, text, (candidate, reference) => {
        for (const score of Object.values(rouge.score(candidate, reference))) {
          for (const value of [score.precision, score.recall, score.fMeasure]) {
            expect(value).toBeGreaterThanOrEqual(0)
            expect(value).toBeLessThanOrEqual(1)
          }
        }
        expect(rouge.score(`${candidate} e`, `${candidate} e`).rougeL.fMeasure).toBe(1)
      }),
    )
  })

  it("gives the same result in turns for long texts", async () => {
    const words = (seed: number) =>
      Array.from({ length: 30_000 }, (_, index) => "abc"[(index * index + seed) % 3]).join(" ")
    const [candidate, reference] = [words(1), words(2)]
    const rouge = createRouge()
    let turns = 0
    const pause = async () => void (turns += 1)
    expect(await rouge.scoreInTurns(candidate, reference, pause)).toEqual(rouge.score(candidate, reference))
    expect(turns).toBeGreaterThan(10)
  })

  it("finds the longest common subsequence that the textbook algorithm finds", () => {
    assert(
      property(tokens, tokens, (left, right) => {
        expect(finishSteps(commonSubsequenceLength(left, right))).toBe(textbookLength(left, right))
      }),
    )
  })

  it("finds the longest common subsequence among rare and frequent tokens", () => {
    const mixed = array(constantFrom(0, 0, 0, 1, 1, 2, 40, 90), { minLength: 200, maxLength: 500 }).map((kinds) =>
      kinds.map((kind, index) => String(kind < 3 ? kind : kind + (index % kind))),
    )
    assert(
      property(mixed, mixed, (left, right) => {
        expect(finishSteps(commonSubsequenceLength(left, right))).toBe(textbookLength(left, right))
      }),
      { numRuns: 40 },
    )
  })

  it("finds the longest common subsequence over many words of bits", () => {
    const left = Array.from({ length: 1000 }, (_, index) => String(index % 7))
    const right = Array.from({ length: 1000 }, (_, index) => String((index * 3) % 7))
    expect(finishSteps(commonSubsequenceLength(left, right))).toBe(textbookLength(left, right))
  })
})

describe("Porter's stemmer", () => {
  it.each(STEM_CASES)("reduces %s to %s", (word, stem) => {
    expect(porterStem(word)).toBe(stem)
  })

  it("accepts words of any length", () => {
    expect(porterStem("y".repeat(100_000))).toHaveLength(100_000)
  })
})

function textbookLength(left: readonly string[], right: readonly string[]): number {
  let row: readonly number[] = Array.from({ length: right.length + 1 }, () => 0)
  for (const token of left) {
    const next = [0]
    for (const [index, other] of right.entries()) {
      next.push(token === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
