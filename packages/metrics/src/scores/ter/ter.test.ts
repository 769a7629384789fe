import { describe, expect, it } from "vitest"
import { CORPUS_TER, TER_CASES } from "../../testing/ter-cases.ts"
import { createTer, terScore } from "./ter.ts"

/** Words of a small vocabulary in an order without a pattern, so that very many shifts are possible. */
function manyWords(count: number, seed: number): string {
  let state = seed
  const words = Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return "abc".charAt((state >> 16) % 3)
  })
  return words.join(" ")
}

describe("TER", () => {
  it.each(TER_CASES)("counts the edits of '$candidate' as sacreBLEU does", (given) => {
    const { options, candidate, references, edits, referenceLength, score } = given
    const counts = createTer(options).count(candidate, references)
    expect(counts).toEqual({ edits, referenceLength })
    expect(terScore(counts)).toBeCloseTo(score, 9)
  })

  it("gives a corpus the score of sacreBLEU, computed from the sums of its counts", () => {
    const ter = createTer()
    let edits = 0
    let referenceLength = 0
    for (const { options, candidate, references } of TER_CASES) {
      if (Object.keys(options).length > 0) continue
      const counts = ter.count(candidate, references.slice(0, 1))
      edits += counts.edits
      referenceLength += counts.referenceLength
    }
    expect(terScore({ edits, referenceLength })).toBeCloseTo(CORPUS_TER, 9)
  })

  it("tries as many shifts as sacreBLEU, and does not make one when this limit is reached", () => {
    const counts = createTer().count(manyWords(300, 1), [manyWords(300, 2)])
    expect(counts).toEqual({ edits: 137, referenceLength: 300 })
  })

  it("refuses a candidate without references", () => {
    expect(() => createTer().count("a", [])).toThrow("references: is empty")
  })

  it("counts the same in a few turns for long texts with very many possible shifts", async () => {
    const [candidate, reference] = [manyWords(4000, 1), manyWords(4000, 2)]
    const ter = createTer()
    let turns = 0
    const pause = () => {
      turns += 1
      return Promise.resolve()
    }
    const counts = await ter.countInTurns(candidate, [reference], pause)
    expect(counts).toEqual(ter.count(candidate, [reference]))
    expect(turns).toBeGreaterThan(1)
    expect(turns).toBeLessThan(20)
  })
})
