export { canonicalNumber, plainNumber } from "./canonical-number.ts"
export { mayChange } from "./changing-numbers.ts"
export { canonicalDecimal, compareDecimals, isDecimalMultiple, isWholeDecimal, isWithin } from "./decimal.ts"
export { findDuplicateKey } from "./duplicate-key.ts"
export { parseUniqueJson } from "./parse-unique-json.ts"
export {
  exactNumber,
  type ExactNumber,
  isExactNumber,
  nearestNumber,
  nearestNumbers,
  numberText,
} from "./exact-number.ts"
export { fieldsOf, listOf } from "./fields-of.ts"
export { createNumberFinder, type ListSuspects, type NumberFinder } from "./find-changing-number.ts"
export { isJsonObject, isObject, type JsonObject } from "./is-object.ts"
export { findJsonExcess, JSON_LIMITS, type JsonExcess, type JsonLimits } from "./json-limits.ts"
export { describeRange, NUMBER_RANGES, type Quantity } from "./number-ranges.ts"
export {
  holdsUserData,
  LostNumberError,
  parseExactJson,
  parseJsonExactly,
  parseJsonRecord,
} from "./parse-exact-json.ts"
export type { LostNumber } from "./changing-numbers.ts"
export type { KeptNumbers } from "./suspect-number.ts"
export { readNumber, readWholeNumber } from "./read-number.ts"
export { withoutNulls } from "./without-nulls.ts"
