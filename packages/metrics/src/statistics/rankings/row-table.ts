import type { ArenaMatch } from "./arena-design.ts"
import { createMatrix, type Matrix } from "./matrix.ts"

/** Returns the results of a row, by player and opponent. NaN: they did not meet. */
export function createTable(players: number, matches: readonly ArenaMatch[]): Matrix {
  const table = createMatrix(players, Number.NaN)
  for (const { a, b, score } of matches) {
    table.set(a, b, score)
    table.set(b, a, 1 - score)
  }
  return table
}

/** How much better one player did than another one, −1 to 1. */
export interface Contrast {
  /** NaN if they have no opponent in common and did not meet. */
  readonly seen: number
  /** The values that strengths predict. */
  readonly expected: number
}

/**
 * Returns how much better a player did than another one: the mean difference of their results against the opponents that both had, where the match between them
 * counts like one opponent. Its expectation is not above 0 if the player is not the better one.
 * @param chance returns the probability that one player beats another one
 */
export function contrastOf(
  table: Matrix,
  [one, other]: readonly [number, number],
  chance: (a: number, b: number) => number,
): Contrast {
  let seen = 0
  let expected = 0
  let count = 0
  for (let third = 0; third < table.size; third++) {
    const difference = third === other ? 2 * table.get(one, other) - 1 : table.get(one, third) - table.get(other, third)
    if (third === one || Number.isNaN(difference)) continue
    seen += difference
    expected += third === other ? 2 * chance(one, other) - 1 : chance(one, third) - chance(other, third)
    count++
  }
  return count === 0 ? { seen: Number.NaN, expected: 0 } : { seen: seen / count, expected: expected / count }
}
