import { findScore, isAmount, isHigherBetter, listScores, unitOfAmount } from "./list-scores.ts"
import { bestValue } from "./value-range.ts"

/** The scores of a result, and what they measure. */
export const resultScores = Object.freeze({
  list: listScores,
  find: findScore,
  isAmount,
  unitOfAmount,
  isHigherBetter,
  bestValue,
})
