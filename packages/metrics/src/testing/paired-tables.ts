/** Rows that only one of two judges, or models, got right. */
export interface PairedTable {
  readonly n: number
  readonly onlyA: number
  readonly onlyB: number
}

/** Lists every split of n rows into those that only A, only B, and both or neither got right. */
export function pairedTables(n: number): readonly PairedTable[] {
  const counts = Array.from({ length: n + 1 }, (_, count) => count)
  return counts.flatMap((onlyA) => counts.slice(0, n - onlyA + 1).map((onlyB) => ({ n, onlyA, onlyB })))
}

/** Returns the values of A and of B of a table, in which all other rows are right for both. */
export function valuesOf({ n, onlyA, onlyB }: PairedTable): { readonly a: number[]; readonly b: number[] } {
  const rows = Array.from({ length: n }, (_, row) => row)
  return {
    a: rows.map((row) => (row >= onlyA && row < onlyA + onlyB ? 0 : 1)),
    b: rows.map((row) => (row < onlyA ? 0 : 1)),
  }
}

/**
 * Returns the largest probability of any of these tables if B is worse than A by exactly `margin`, over the shares of rows
 * that differ.
 */
export function worstProbability(tables: readonly PairedTable[], margin: number): number {
  const shares = Array.from({ length: 41 }, (_, step) => margin + (1 - margin) * (step / 40) ** 1.7)
  const ofShare = (share: number) =>
    tables.reduce((sum, table) => sum + probability(table, (share + margin) / 2, (share - margin) / 2), 0)
  return Math.max(...shares.map(ofShare))
}

function probability({ n, onlyA, onlyB }: PairedTable, shareA: number, shareB: number): number {
  const rest = n - onlyA - onlyB
  const ways = logFactorial(n) - logFactorial(onlyA) - logFactorial(onlyB) - logFactorial(rest)
  // A share of 0 can be slightly below it by rounding.
  const power = (share: number, count: number) => (count === 0 ? 0 : count * Math.log(Math.max(0, share)))
  return Math.exp(ways + power(shareA, onlyA) + power(shareB, onlyB) + power(1 - shareA - shareB, rest))
}

function logFactorial(count: number): number {
  let sum = 0
  for (let factor = 2; factor <= count; factor++) sum += Math.log(factor)
  return sum
}
