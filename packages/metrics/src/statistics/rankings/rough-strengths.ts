import type { ArenaMatch } from "./arena-design.ts"
import { createMatrix } from "./matrix.ts"

/** Strengths that are drawn towards 0, so that few matches do not make them extreme. They choose pairs and bets, and promise nothing. */
export interface RoughStrengths {
  add(matches: readonly ArenaMatch[]): void
  strengths(): readonly number[]
}

/** The precision of a strength before any match: a standard deviation of 0.5. */
const PRECISION = 4
const ROUNDS = 6

/** Returns the probability that a player with the first strength beats one with the second. */
export function expectedScore(own: number, other: number): number {
  return 1 / (1 + Math.exp(other - own))
}

export function createRoughStrengths(players: number): RoughStrengths {
  const strengths = Array.from({ length: players }, () => 0)
  const wins = createMatrix(players)
  let isFresh = true
  /** Improves each strength in turn, from the last ones, which are almost right. */
  const improve = (own: number): void => {
    let gradient = -PRECISION * (strengths[own] ?? 0)
    let curvature = PRECISION
    for (let other = 0; other < players; other++) {
      const won = wins.get(own, other)
      const count = won + wins.get(other, own)
      const p = expectedScore(strengths[own] ?? 0, strengths[other] ?? 0)
      gradient += won - count * p
      curvature += count * p * (1 - p)
    }
    strengths[own] = (strengths[own] ?? 0) + Math.max(-1, Math.min(1, gradient / curvature))
  }
  return {
    add(matches) {
      for (const { a, b, score } of matches) {
        wins.add(a, b, score)
        wins.add(b, a, 1 - score)
      }
      isFresh = false
    },
    strengths() {
      if (!isFresh) for (let round = 0; round < ROUNDS; round++) for (const at of strengths.keys()) improve(at)
      isFresh = true
      return [...strengths]
    },
  }
}
