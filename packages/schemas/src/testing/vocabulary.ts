import * as fc from "fast-check"
import { exactNumber } from "@assay/json"
import type { FilterScalar } from "../filter/filter.ts"

/**
 * Only a few words, so that filters often match records. Each tests a special case: letters that differ only in case (sigma has two
 * lower-case forms, and the lower case of İ is longer), wildcards and quotes of SQL, text that looks like another type, and two
 * characters whose order in UTF-16 differs from their order by code point (U+FF5E, U+1F600).
 */
const WORDS = [
  "",
  "a",
  "A",
  "ab",
  "Ab c",
  "b",
  "ä",
  "Ä",
  "ÄB%",
  "ΟΔΟΣ",
  "σ",
  "İ",
  "50%",
  "a_b",
  "a\\b",
  "it's",
  'say "a"',
  "5",
  "5.0",
  "10",
  "true",
  "null",
  "2025-01-01",
  "[x]",
  "～",
  "😀",
  "日本",
] as const

const KEYS = [
  "team",
  "a",
  "a.b",
  "0",
  "in",
  "x y",
  "größe",
  "$eq",
  "",
  'q"t',
  "back\\slash",
  "__proto__",
  "constructor",
] as const

const NUMBERS = [0, 1, -1, 5, 5.5, 10, 0.1, 1e21, -1e-7, 9_007_199_254_740_991] as const

/** Numbers whose text a JavaScript number would not keep. Some are equal, and some have the same nearest double. */
const EXACT_NUMBERS = [
  "9007199254740992.0",
  "9007199254740993",
  "90071992547409930e-1",
  "1234567890123456789",
  "1234567890123456788",
  "1e3",
  "5.0",
  "-0.0",
  "0.10",
  "0.10000000000000000001",
  "0.99999999999999999999",
  "-1.00000000000000000001",
  "9.9999999999999999999E+20",
] as const

const NAMES = ["a", "A", "ab", "a-b", "a_b", "a.b", "B", "5", "null", "true"] as const

const FIRST_MOMENT = Date.UTC(2024, 11, 31, 23, 59, 59, 998)

/** Generates text of records and of operands. */
export const wordArbitrary = (): fc.Arbitrary<string> => fc.constantFrom(...WORDS)

/** Generates keys below the free-form maps. Half of them are the same, so that filters often match records. */
export const keyArbitrary = (): fc.Arbitrary<string> => fc.oneof(fc.constant("team"), fc.constantFrom(...KEYS))

/** Generates ids, which can repeat. */
export const idArbitrary = (): fc.Arbitrary<string> => fc.nat(99).map((id) => `fileset-${id}`)

/** Generates names of filesets, workspaces and projects. */
export const nameArbitrary = (): fc.Arbitrary<string> => fc.constantFrom(...NAMES)

/** Generates timestamps a few milliseconds apart, around the end of a year. */
export const timestampArbitrary = (): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: 5 }).map((later) => new Date(FIRST_MOMENT + later).toISOString())

const numberArbitrary = (): fc.Arbitrary<FilterScalar> => fc.constantFrom(...NUMBERS, ...EXACT_NUMBERS.map(exactNumber))

/** Generates scalars, each type equally often. */
export const scalarArbitrary = (): fc.Arbitrary<FilterScalar> =>
  fc.oneof(wordArbitrary(), numberArbitrary(), fc.boolean(), fc.constant(null))
