// Entry `@assay/schemas/numbers`: JSON parsing that keeps the text of numbers, for programs and threads that must start fast.
export { canonicalDecimal, compareDecimals, isDecimalMultiple, isWholeDecimal } from "./numbers/decimal.ts"
export {
  exactNumber,
  isExactNumber,
  nearestNumber,
  nearestNumbers,
  numberText,
  type ExactNumber,
} from "./numbers/exact-number.ts"
export { canonicalNumber, plainNumber } from "./numbers/canonical-number.ts"
export { createNumberFinder } from "./numbers/find-changing-number.ts"
export { parseExactJson, parseJsonExactly, type KeptNumbers, type LostNumber } from "./numbers/parse-exact-json.ts"
export { describeRange, NUMBER_RANGES } from "./numbers/number-ranges.ts"
export { readNumber, readWholeNumber } from "./numbers/read-number.ts"
export { mayChange } from "./numbers/changing-numbers.ts"
export { isJsonObject, isObject, type JsonObject } from "./records/is-object.ts"
export { findDuplicateKey } from "./numbers/duplicate-key.ts"
