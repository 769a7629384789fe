import { indexes, type Matrix } from "./matrix.ts"

/** Which ends of the interval of a strength the matches do not limit. */
export interface OpenEnds {
  readonly low: boolean
  readonly high: boolean
}

/**
 * Returns which strengths have no limit. A group of players that never loses a match to the others, not even half of one, can be stronger than them without limit,
 * and the others weaker. Strengths are differences from the mean, so a group between two such groups has no limit on either side.
 * Source: Ford, American Mathematical Monthly 64 (1957): strengths are finite if wins lead from each player to each other one.
 */
export function openEnds(wins: Matrix): readonly OpenEnds[] {
  const beats = reachable(wins)
  return indexes(wins.size).map((own) => {
    const others = indexes(wins.size).filter((at) => at !== own)
    const isBelow = (one: number) => beats[one]?.[own] === true
    const isAbove = (one: number) => beats[own]?.[one] === true
    const isOver = others.some((one) => isAbove(one) && !isBelow(one))
    const isUnder = others.some((one) => isBelow(one) && !isAbove(one))
    const isApart = others.some((one) => !isBelow(one) && !isAbove(one))
    return { low: isUnder || isApart, high: isOver || isApart }
  })
}

/** Returns whether wins lead from one player to another: A won against B, B against C, and so on. */
function reachable(wins: Matrix): readonly (readonly boolean[])[] {
  const players = indexes(wins.size)
  const found = players.map((row) => players.map((column) => wins.get(row, column) > 0))
  for (const via of players) {
    for (const row of found) {
      if (row[via] !== true) continue
      for (const to of players) row[to] ||= found[via]?.[to] === true
    }
  }
  return found
}
