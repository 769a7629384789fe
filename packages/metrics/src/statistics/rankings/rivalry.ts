import { createMatrix, indexes, type Matrix } from "./matrix.ts"
import { contrastOf } from "./row-table.ts"
import { expectedScore } from "./rough-strengths.ts"

/** Bets that one player is better than another one. */
export interface Rivalry {
  /** Bets on a row. @param leaders the players that can still be among the best, the best first, as the rows before say */
  add(table: Matrix, strengths: readonly number[], leaders: readonly number[]): void
  /** Returns the wealth of the bets that a player is not among the best. If it is, the wealth ever reaches w with a probability of at most 1 / w. */
  evidenceAgainst(player: number): number
  /** Returns the two-sided probability of the results of two players, valid after any row. */
  probability(a: number, b: number): number
}

/** The highest share of the wealth that a row can lose. */
const MAX_STAKE = 0.95
/** The square of a difference on a row before any is seen, as if it was seen on a few. */
const FIRST_SQUARE = 1 / 8
const FIRST_COUNT = 8

/** Creates the bets between players, of which `top` are looked for. */
export function createRivalry(players: number, top: number): Rivalry {
  const against = new Float64Array(players)
  /** The logarithm of the wealth of the bet that the first is better than the second, now and at its highest. */
  const [current, highest] = [createMatrix(players), createMatrix(players)]
  let squares = FIRST_SQUARE * FIRST_COUNT
  let count = FIRST_COUNT

  const gain = (contrast: ReturnType<typeof contrastOf>): number => {
    const { seen, expected } = contrast
    if (Number.isNaN(seen) || expected <= 0) return 0
    // The bet whose wealth grows fastest if the expectation is right (Kelly).
    const stake = Math.min(MAX_STAKE, expected / (squares / count + expected ** 2))
    return Math.log1p(stake * seen)
  }
  return {
    add(table, strengths, leaders) {
      const chance = (a: number, b: number) => expectedScore(strengths[a] ?? 0, strengths[b] ?? 0)
      const seen: number[] = []
      const [leader, second] = leaders
      for (const player of leaders) {
        const rival = player === leader ? second : leader
        if (rival === undefined) continue
        const contrast = contrastOf(table, [rival, player], chance)
        against[player] = (against[player] ?? 0) + gain(contrast)
        if (!Number.isNaN(contrast.seen)) seen.push(contrast.seen)
      }
      for (let a = 0; a < players; a++) {
        for (let b = 0; b < players; b++) {
          if (a === b) continue
          current.add(a, b, gain(contrastOf(table, [a, b], chance)))
          highest.set(a, b, Math.max(highest.get(a, b), current.get(a, b)))
        }
      }
      for (const one of seen) squares += one ** 2
      count += seen.length
    },
    evidenceAgainst(player) {
      if (top === 1) return Math.exp(against[player] ?? 0)
      // At most top − 1 rivals are better than one of the best. Without the most successful ones, the others lose money on average.
      const rivals = indexes(players).filter((rival) => rival !== player)
      const wealth = rivals.map((rival) => Math.exp(current.get(rival, player)))
      const others = wealth.toSorted((a, b) => a - b).slice(0, players - top)
      return others.reduce((sum, one) => sum + one, 0) / others.length
    },
    probability(a, b) {
      const strongest = Math.max(highest.get(a, b), highest.get(b, a))
      return Math.min(1, 2 * Math.exp(-strongest))
    },
  }
}
