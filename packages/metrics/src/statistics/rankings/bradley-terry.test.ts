import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createRandom } from "../create-random.ts"
import { bradleyTerry, type PairedMatch } from "./bradley-terry.ts"

/** Matches from a table of wins, by row against column. */
const matchesOf = (wins: readonly (readonly number[])[]): readonly PairedMatch[] =>
  wins.flatMap((row, a) => row.flatMap((count, b) => Array.from({ length: count }, () => ({ a, b, score: 1 }))))

/** The American League in 1987: Agresti, Categorical Data Analysis (2013), table 11.10. */
const BASEBALL = [
  [0, 7, 9, 7, 7, 9, 11],
  [6, 0, 7, 5, 11, 9, 9],
  [4, 6, 0, 7, 7, 8, 12],
  [6, 8, 6, 0, 6, 7, 10],
  [6, 2, 6, 7, 0, 7, 12],
  [4, 4, 5, 6, 6, 0, 6],
  [2, 4, 1, 3, 1, 7, 0],
]
/** Strengths above the last team, as the R package BradleyTerry2 prints them. */
const PUBLISHED = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0]

/** Fits by the iteration of Hunter, Annals of Statistics 32 (2004), which shares no code with the fit. */
function naiveFit(players: number, matches: readonly PairedMatch[]): readonly number[] {
  let worth = Array.from({ length: players }, () => 1)
  for (let step = 0; step < 400; step++) {
    const worthOf = (player: number) => worth[player] ?? 0
    const next = worth.map((_one, player) => {
      const own = matches.filter(({ a, b }) => a === player || b === player)
      const won = own.reduce((sum, { a, score }) => sum + (a === player ? score : 1 - score), 0)
      return won / own.reduce((sum, { a, b }) => sum + 1 / (worthOf(a) + worthOf(b)), 0)
    })
    const scale = Math.exp(next.reduce((sum, one) => sum + Math.log(one), 0) / players)
    worth = next.map((one) => one / scale)
  }
  return worth.map(Math.log)
}

const strengthsOf = (players: number, matches: readonly PairedMatch[]) =>
  bradleyTerry(players, matches).map(({ strength }) => strength)

describe("bradleyTerry", () => {
  it("finds the published strengths of baseball teams", verifies("arena.strengths"), () => {
    const found = strengthsOf(7, matchesOf(BASEBALL))
    expect(found.map((one) => one - (found.at(-1) ?? 0))).toEqual(
      PUBLISHED.map((one) => expect.closeTo(one, 3) as number),
    )
    expect(found.reduce((sum, one) => sum + one, 0)).toBeCloseTo(0, 12)
  })

  it("agrees with a naive iteration, with ties as half a win", verifies("arena.strengths"), () => {
    const random = createRandom(5)
    const matches = Array.from({ length: 300 }, () => {
      const a = Math.floor(random() * 5)
      const b = (a + 1 + Math.floor(random() * 4)) % 5
      return { a, b, score: [0, 0.5, 1, a < b ? 1 : 0][Math.floor(random() * 4)] ?? 0 }
    })
    expect(strengthsOf(5, matches)).toEqual(naiveFit(5, matches).map((one) => expect.closeTo(one, 6) as number))
  })

  it("has the interval of a rate's log-odds for two players", () => {
    // 30 of 40: log-odds 1.0986 with the standard error sqrt(1/30 + 1/10); each strength is half of the difference.
    const [first, second] = bradleyTerry(
      2,
      matchesOf([
        [0, 30],
        [10, 0],
      ]),
    )
    const error = Math.sqrt(1 / 30 + 1 / 10)
    expect(first?.strength).toBeCloseTo(Math.log(3) / 2, 9)
    expect(first?.interval.low).toBeCloseTo((Math.log(3) - 1.959964 * error) / 2, 6)
    expect(second?.interval.high).toBeCloseTo(-(first?.interval.low ?? 0), 9)
  })

  it("has wider intervals if the matches of a row resemble each other", () => {
    const ten = Array.from({ length: 10 }, (_, row) => ({ a: 0, b: 1, score: Number(row < 7), row }))
    const copied = ten.flatMap((match) => [match, match, match, match])
    const widthOf = (matches: readonly PairedMatch[]) => {
      const { low, high } = bradleyTerry(2, matches)[0]?.interval ?? {}
      return (high ?? 0) - (low ?? 0)
    }
    expect(widthOf(copied)).toBeCloseTo(widthOf(ten), 9)
    expect(widthOf(copied.map(({ row: _row, ...match }) => match))).toBeCloseTo(widthOf(ten) / 2, 9)
  })

  it.each([
    [
      "one wins all",
      3,
      [
        [0, 3, 3],
        [0, 0, 2],
        [0, 2, 0],
      ],
      ["high", "low", "low"],
    ],
    [
      "one loses all",
      3,
      [
        [0, 2, 3],
        [2, 0, 3],
        [0, 0, 0],
      ],
      ["high", "high", "low"],
    ],
    [
      "a chain",
      3,
      [
        [0, 3, 0],
        [0, 0, 3],
        [0, 0, 0],
      ],
      ["high", "both", "low"],
    ],
    [
      "nobody met",
      2,
      [
        [0, 0],
        [0, 0],
      ],
      ["both", "both"],
    ],
    [
      "one met nobody",
      3,
      [
        [0, 2, 0],
        [1, 0, 0],
        [0, 0, 0],
      ],
      ["both", "both", "both"],
    ],
  ] as const)(
    "has open intervals and finite strengths if %s",
    verifies("arena.strengths"),
    (_what, players, wins, open) => {
      const found = bradleyTerry(players, matchesOf(wins))
      const openOf = ({ low, high }: (typeof found)[number]["interval"]) =>
        low === null ? (high === null ? "both" : "low") : high === null ? "high" : "none"
      expect(found.map(({ interval }) => openOf(interval))).toEqual(open)
      expect(JSON.stringify(found)).not.toContain("NaN")
      expect(found.every(({ strength }) => Number.isFinite(strength))).toBe(true)
      expect(found.reduce((sum, { strength }) => sum + strength, 0)).toBeCloseTo(0, 9)
    },
  )

  it("has exactly 0 for a player between two that are alike", () => {
    const wins = [
      [0, 2, 0],
      [0, 0, 2],
      [0, 0, 0],
    ]
    expect(strengthsOf(3, matchesOf(wins))[1]).toBe(0)
    expect(strengthsOf(3, [...matchesOf(wins), { a: 0, b: 2, score: 1 }])[1]).toBe(0)
  })

  it("refuses players and scores that are impossible", () => {
    expect(() => bradleyTerry(2, [{ a: 0, b: 2, score: 1 }])).toThrow(/two players below 2/)
    expect(() => bradleyTerry(2, [{ a: 0, b: 1, score: Number.NaN }])).toThrow(/1, 0.5 or 0/)
  })
})
