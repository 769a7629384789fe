export interface FlipRate {
  /** The rows whose answers are not all the same. */
  readonly flipped: number
  /** The rows that were answered more than once. */
  readonly rows: number
  /** Null where no row was answered more than once. */
  readonly rate: number | null
}

/** How many of the rows that were asked more than once got different answers, given the answers of each row. */
export function flipRate(answersByRow: Iterable<readonly (string | number | boolean)[]>): FlipRate {
  let [flipped, rows] = [0, 0]
  for (const answers of answersByRow) {
    if (answers.length < 2) continue
    rows++
    if (answers.some((answer) => answer !== answers[0])) flipped++
  }
  return { flipped, rows, rate: rows === 0 ? null : flipped / rows }
}
