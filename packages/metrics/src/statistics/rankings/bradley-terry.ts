import { checkArgument, checkShare } from "../check-argument.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import { createMatrix, indexes, invert, type Matrix } from "./matrix.ts"
import { openEnds } from "./open-ends.ts"

/** A match between two players. */
export interface PairedMatch {
  /** The numbers of the players, from 0. */
  readonly a: number
  readonly b: number
  /** 1 if A won, 0 if B did, 0.5 for a tie, which counts as half a win of each. */
  readonly score: number
  /** The group of the match, such as a row. Matches of one row can resemble each other. Default: each match is on its own. */
  readonly row?: number
}

/** The strength of a player. */
export interface PlayerStrength {
  /** Natural log-odds; the strengths of all players sum to 0. A beats B with a probability of 1 / (1 + exp(b − a)). */
  readonly strength: number
  readonly interval: StrengthInterval
}

export interface StrengthInterval {
  /** Null: the matches set no limit, as if a player lost all of its matches. */
  readonly low: number | null
  /** Null: the matches set no limit, as if a player won all of its matches. */
  readonly high: number | null
  readonly confidence: number
  readonly method: "wald"
}

const ROUNDING = 1e-12
/** The share of a tie that is added to each two players that met, if strengths are infinite without. */
const ADDED_TIE = 0.5
const ITERATIONS = 100
const ENOUGH = 1e-10

/**
 * Fits the model of Bradley and Terry by maximum likelihood, with an interval of each strength.
 *
 * If a group of players never loses to the others, strengths are infinite: half a tie is then added to each two players that met, and the ends of intervals that
 * matches do not limit are null. An interval is Wald's, with the larger of two variances: that of the model, and that of rows as
 * clusters. It is one of a fixed number of matches.
 *
 * Source: Bradley and Terry, Biometrika 39 (1952), by Newton's method; Ford, American Mathematical Monthly 64 (1957), for when strengths are finite;
 * Liang and Zeger, Biometrika 73 (1986), for clusters. Throws `invalid_request` for impossible scores and players.
 */
export function bradleyTerry(
  players: number,
  matches: readonly PairedMatch[],
  { confidence = 0.95 }: { readonly confidence?: number } = {},
): readonly PlayerStrength[] {
  checkShare("confidence", confidence)
  const wins = countWins(players, matches)
  const ends = openEnds(wins)
  const isFinite = ends.every(({ low, high }) => !low && !high)
  const weights = isFinite ? wins : withTies(wins)
  const strengths = fit(weights)
  const variances = variancesOf(strengths, weights, matches)
  const reach = normalQuantile(0.5 + confidence / 2)
  return Array.from(strengths, (strength, at) => {
    const half = reach * Math.sqrt(variances[at] ?? 0)
    const low = ends[at]?.low === true ? null : strength - half
    const high = ends[at]?.high === true ? null : strength + half
    return { strength, interval: { low, high, confidence, method: "wald" } }
  })
}

/** Returns how often each player, by row, won against each other one, by column. */
function countWins(players: number, matches: readonly PairedMatch[]): Matrix {
  const isPlayer = (one: number) => Number.isSafeInteger(one) && one >= 0 && one < players
  const wins = createMatrix(players)
  for (const { a, b, score } of matches) {
    checkArgument(isPlayer(a) && isPlayer(b) && a !== b, "matches", `${a} and ${b}`, `two players below ${players}`)
    checkArgument(score >= 0 && score <= 1, "score", score, "1, 0.5 or 0")
    wins.add(a, b, score)
    wins.add(b, a, 1 - score)
  }
  return wins
}

const met = (wins: Matrix, a: number, b: number) => wins.get(a, b) + wins.get(b, a)

function withTies(wins: Matrix): Matrix {
  const more = createMatrix(wins.size)
  for (const a of indexes(wins.size)) {
    for (const b of indexes(wins.size)) more.set(a, b, wins.get(a, b) + (met(wins, a, b) > 0 ? ADDED_TIE / 2 : 0))
  }
  return more
}

/** Returns the likeliest strengths, with the sum 0. Players without a match have the strength 0. */
function fit(wins: Matrix): Float64Array {
  let strengths = new Float64Array(wins.size)
  for (let step = 0; step < ITERATIONS; step++) {
    const change = invert(information(strengths, wins)).times(gradientOf(strengths, wins))
    // A long step can overshoot where the likelihood is almost flat.
    const longest = change.reduce((most, one) => Math.max(most, Math.abs(one)), 0)
    const scale = longest > 2 ? 2 / longest : 1
    strengths = strengths.map((strength, at) => strength + scale * (change[at] ?? 0))
    if (longest < ENOUGH) break
  }
  const mean = meanOf(strengths)
  // Rounding can leave something of a strength of 0.
  return strengths.map((strength) => (Math.abs(strength - mean) < ROUNDING ? 0 : strength - mean))
}

const meanOf = (values: Float64Array) => values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)

function winProbability(strengths: Float64Array, own: number, other: number): number {
  return 1 / (1 + Math.exp((strengths[other] ?? 0) - (strengths[own] ?? 0)))
}

function gradientOf(strengths: Float64Array, wins: Matrix): Float64Array {
  return strengths.map((_own, a) =>
    strengths.reduce((sum, _other, b) => sum + wins.get(a, b) - met(wins, a, b) * winProbability(strengths, a, b), 0),
  )
}

/**
 * Returns the information of the matches plus a matrix that fixes the sum of each group of players that met, so that it has an inverse. On contrasts, that inverse is the
 * pseudo-inverse.
 */
function information(strengths: Float64Array, wins: Matrix): Matrix {
  const found = createMatrix(wins.size)
  for (const a of indexes(wins.size)) {
    for (const b of indexes(a)) {
      const p = winProbability(strengths, a, b)
      const weight = met(wins, a, b) * p * (1 - p)
      for (const [row, column] of [
        [a, b],
        [b, a],
      ] as const) {
        found.add(row, column, -weight)
        found.add(row, row, weight)
      }
    }
  }
  const groups = metGroups(wins)
  for (const a of indexes(wins.size)) {
    for (const b of indexes(wins.size)) if (groups[a] === groups[b]) found.add(a, b, 1 / wins.size)
  }
  return found
}

/** Returns the number of the group of each player: players are in one group if matches connect them. */
function metGroups(wins: Matrix): readonly number[] {
  let groups = indexes(wins.size)
  for (const a of indexes(wins.size)) {
    for (const b of indexes(a)) {
      const [from, to] = [groups[a], groups[b] ?? b]
      if (met(wins, a, b) > 0) groups = groups.map((group) => (group === from ? to : group))
    }
  }
  return groups
}

/** Returns the variance of each strength, as the difference from the mean of all. */
function variancesOf(strengths: Float64Array, wins: Matrix, matches: readonly PairedMatch[]): readonly number[] {
  const players = indexes(wins.size)
  const inverse = invert(information(strengths, wins))
  const surprises = surprisesByRow(strengths, matches).map((sums) => inverse.times(sums))
  const means = inverse.times(strengths.map(() => 1 / strengths.length))
  return players.map((at) => {
    // The sum that is fixed in the information has no variance.
    const model = inverse.get(at, at) - 2 * (means[at] ?? 0) + meanOf(means)
    const clustered = surprises.reduce((sum, one) => sum + (one[at] ?? 0) ** 2, 0)
    return Math.max(0, model, clustered)
  })
}

/** Returns for each row how much more each player won than its strength lets expect. */
function surprisesByRow(strengths: Float64Array, matches: readonly PairedMatch[]): readonly Float64Array[] {
  const byRow = new Map<number, Float64Array>()
  let own = -1
  for (const { a, b, score, row = own-- } of matches) {
    const sums = byRow.get(row) ?? new Float64Array(strengths.length)
    byRow.set(row, sums)
    const surprise = score - winProbability(strengths, a, b)
    sums[a] = (sums[a] ?? 0) + surprise
    sums[b] = (sums[b] ?? 0) - surprise
  }
  return [...byRow.values()]
}
