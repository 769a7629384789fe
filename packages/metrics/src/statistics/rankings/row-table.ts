import type { ArenaMatch } from "./arena-design.ts"

/** The results of a row, by player and opponent. NaN: they did not meet. */
export type RowTable = readonly Float64Array[]

export function createTable(players: number, matches: readonly ArenaMatch[]): RowTable {
  const table = Array.from({ length: players }, () => new Float64Array(players).fill(Number.NaN))
  for (const { a, b, score } of matches) {
    table[a]![b] = score
    table[b]![a] = 1 - score
  }
  return table
}

/** How much better one player did than another one, −1 to 1. */
export interface Contrast {
  /** NaN if they have no opponent in common and did not meet. */
  readonly seen: number
  /** What strengths let expect. */
  readonly expected: number
}

/**
 * Returns how much better a player did than another one: the mean difference of their results against the opponents that both had, where the match between them
 * counts like one opponent. Its expectation is not above 0 if the player is not the better one.
 * @param chance returns the probability that one player beats another one
 */
export function contrastOf(
  table: RowTable,
  [one, other]: readonly [number, number],
  chance: (a: number, b: number) => number,
): Contrast {
  const [own, others] = [table[one] ?? [], table[other] ?? []]
  let seen = 0
  let expected = 0
  let count = 0
  for (let third = 0; third < table.length; third++) {
    const difference = third === other ? 2 * (own[other] ?? 0) - 1 : (own[third] ?? 0) - (others[third] ?? 0)
    if (third === one || Number.isNaN(difference)) continue
    seen += difference
    expected += third === other ? 2 * chance(one, other) - 1 : chance(one, third) - chance(other, third)
    count++
  }
  return count === 0 ? { seen: Number.NaN, expected: 0 } : { seen: seen / count, expected: expected / count }
}
