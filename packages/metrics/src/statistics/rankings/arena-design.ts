import { checkArgument, checkShare } from "../check-argument.ts"
import type { Matrix } from "./matrix.ts"
import { createTable } from "./row-table.ts"
import { createRivalry } from "./rivalry.ts"
import { createRoughStrengths } from "./rough-strengths.ts"

/** Two players that meet on a row. */
export interface ArenaPair {
  readonly a: number
  readonly b: number
}

/** The result of a pair on a row: 1 if A won, 0 if B did, 0.5 for a tie, NaN if it is not known. */
export interface ArenaMatch extends ArenaPair {
  readonly score: number
}

export interface ArenaOptions {
  readonly players: number
  /** The probability that the best are named wrongly. Default 0.05. */
  readonly alpha?: number
  /** How many of the best are looked for. Default 1. */
  readonly top?: number
  /** How many opponents all players have in common on a row. Default 5. */
  readonly opponents?: number
  /** Whether each two players meet on each row. Default false. */
  readonly isExhaustive?: boolean
}

/** Says which pairs meet on the next row, and when the best are certain. */
export interface ArenaDesign {
  /** Returns the pairs that meet on the next rows. They depend on the rows so far alone. */
  nextPairs(): readonly ArenaPair[]
  /** Takes all results of a row. */
  add(matches: readonly ArenaMatch[]): void
  /** Returns the best players once they are certain, else null. */
  certain(): readonly number[] | null
  /** Returns whether a player can still be one of the best. */
  isOpen(player: number): boolean
  /** Returns the probability of results at least this clear, in either direction, if two players do not differ. It may be looked at after any row. */
  probability(a: number, b: number): number
}

const OPPONENTS = 5

/**
 * Creates the design of an arena. Rows come in random order, and the best players meet all that are still open. A player is ruled out when the rows prove
 * that it is not one of the best: a gambler bets on each row that the leader does better than the player against the opponents that both have, and against it. If the
 * player is the best, the wealth is a supermartingale whatever the bets and pairs are, and it reaches 1 / alpha with a probability of at most alpha
 * (Ville). So the best player is ruled out, and another one named, with a probability of at most alpha. For several of the best, each has alpha / `top`, and rivals
 * are counted one by one.
 *
 * It assumes that a better player does not do worse against a third one, and that rows are drawn at random. Results of one row may depend on each other.
 * If several players are exactly the best, one of them is named with a probability of at most 2 alpha.
 *
 * Source: Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024), for bets; Even-Dar et al., Journal of Machine Learning
 * Research 7 (2006), for ruling out one after the other. Throws `invalid_request`.
 */
export function createArenaDesign(options: ArenaOptions): ArenaDesign {
  const { players, alpha = 0.05, top = 1, opponents = OPPONENTS, isExhaustive = false } = options
  checkArgument(Number.isSafeInteger(players) && players >= 2, "players", players, "at least 2")
  checkArgument(Number.isSafeInteger(top) && top >= 1 && top < players, "top", top, `a number from 1 to ${players - 1}`)
  checkShare("alpha", alpha)
  const rough = createRoughStrengths(players)
  const rivalry = createRivalry(players, top)
  const open = new Set(Array.from({ length: players }, (_, at) => at))

  /** Lists players: those that decide who is among the best first. */
  const ranked = (): readonly number[] => {
    const strengths = rough.strengths()
    const order = strengths.map((_one, at) => at).toSorted((a, b) => (strengths[b] ?? 0) - (strengths[a] ?? 0))
    const limit = ((strengths[order[top - 1] ?? 0] ?? 0) + (strengths[order[top] ?? 0] ?? 0)) / 2
    const nearest = (a: number, b: number) =>
      Math.abs((strengths[a] ?? 0) - limit) - Math.abs((strengths[b] ?? 0) - limit)
    const sorted = top === 1 ? order : order.toSorted(nearest)
    return [...sorted.filter((one) => open.has(one)), ...sorted.filter((one) => !open.has(one))]
  }
  const ruleOut = (table: Matrix, strengths: readonly number[]): void => {
    const leaders = [...open].toSorted((a, b) => (strengths[b] ?? 0) - (strengths[a] ?? 0))
    rivalry.add(table, strengths, leaders)
    for (const player of open) {
      if (open.size > top && rivalry.evidenceAgainst(player) >= top / alpha) open.delete(player)
    }
  }
  return {
    nextPairs() {
      const shown = ranked()
      const common = isExhaustive ? shown : shown.slice(0, opponents)
      const met = new Set<string>()
      return common.flatMap((one) =>
        shown.flatMap((other): readonly ArenaPair[] => {
          const [a, b] = [Math.min(one, other), Math.max(one, other)]
          const key = `${a} ${b}`
          if (a === b || met.has(key) || !(isExhaustive || open.has(other) || open.has(one))) return []
          if (!isExhaustive && !open.has(other) && !common.includes(other)) return []
          met.add(key)
          return [{ a, b }]
        }),
      )
    },
    add(matches) {
      const known = matches.filter(({ score }) => !Number.isNaN(score))
      for (const { score } of known) checkArgument(score >= 0 && score <= 1, "score", score, "1, 0.5 or 0")
      const table = createTable(players, known)
      ruleOut(table, rough.strengths())
      rough.add(known)
    },
    certain: () => (open.size === top ? [...open] : null),
    isOpen: (player) => open.has(player),
    probability: (a, b) => rivalry.probability(a, b),
  }
}
