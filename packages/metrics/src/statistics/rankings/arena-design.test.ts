import { describe, expect, it } from "vitest"
import { createRandom } from "../create-random.ts"
import { type ArenaOptions, createArenaDesign } from "./arena-design.ts"

interface Played {
  readonly certain: readonly number[] | null
  readonly rows: number
  readonly matches: number
}

/** Plays rows between players of these strengths, until the best are certain. */
function play(strengths: readonly number[], rows: number, seed: number, options: Partial<ArenaOptions> = {}): Played {
  const random = createRandom(seed)
  const design = createArenaDesign({ players: strengths.length, ...options })
  let matches = 0
  let row = 0
  for (; row < rows && design.certain() === null; row++) {
    const pairs = design.nextPairs()
    matches += pairs.length
    const chance = (a: number, b: number) => 1 / (1 + Math.exp((strengths[b] ?? 0) - (strengths[a] ?? 0)))
    design.add(pairs.map(({ a, b }) => ({ a, b, score: Number(random() < chance(a, b)) })))
  }
  return { certain: design.certain(), rows: row, matches }
}

describe("the design of an arena", () => {
  it("ends when the best is certain, with fewer matches than all pairs on all rows", () => {
    const found = Array.from({ length: 10 }, (_, seed) => play([0, 0, 1, 0, -1, 0], 300, seed))
    expect(found.map(({ certain }) => certain)).toEqual(Array.from({ length: 10 }, () => [2]))
    expect(Math.max(...found.map(({ matches }) => matches))).toBeLessThan(0.4 * 15 * 300)
  })

  it("finds several of the best", () => {
    expect(play([1, 0, 1, -1, 0], 300, 3, { top: 2 }).certain?.toSorted()).toEqual([0, 2])
  })

  it("names one of two equal models at most 5 times in 100", () => {
    const named = Array.from({ length: 200 }, (_, seed) => play([0, 0], 100, seed)).filter(
      ({ certain }) => certain !== null,
    )
    expect(named.length).toBeLessThanOrEqual(10)
  })

  it("lets each two players meet if it is exhaustive, and only open ones otherwise", () => {
    expect(createArenaDesign({ players: 9, isExhaustive: true }).nextPairs()).toHaveLength(36)
    const design = createArenaDesign({ players: 9 })
    // Five opponents meet each other and four more.
    expect(design.nextPairs()).toHaveLength(10 + 20)
    for (let row = 0; row < 100 && design.certain() === null; row++) {
      design.add(design.nextPairs().map(({ a, b }) => ({ a, b, score: Number(a < b) })))
    }
    expect(design.certain()).toEqual([0])
    expect(design.nextPairs().every(({ a, b }) => a === 0 || b === 0 || a < 5)).toBe(true)
  })

  it("does not count matches that are unknown", () => {
    const design = createArenaDesign({ players: 2 })
    for (let row = 0; row < 50; row++) design.add([{ a: 0, b: 1, score: Number.NaN }])
    expect([design.certain(), design.probability(0, 1)]).toEqual([null, 1])
    for (let row = 0; row < 50; row++) design.add([{ a: 0, b: 1, score: 1 }])
    expect(design.certain()).toEqual([0])
    expect(design.probability(0, 1)).toBeLessThan(0.001)
  })

  it("refuses numbers that are impossible", () => {
    expect(() => createArenaDesign({ players: 1 })).toThrow(/at least 2/)
    expect(() => createArenaDesign({ players: 3, top: 3 })).toThrow(/from 1 to 2/)
    expect(() => createArenaDesign({ players: 3, alpha: 1 })).toThrow(/alpha/)
    expect(() => createArenaDesign({ players: 2 }).add([{ a: 0, b: 1, score: 2 }])).toThrow(/1, 0.5 or 0/)
  })
})
