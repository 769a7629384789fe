import { compareDecimals, isDecimalMultiple, numberText } from "@assay/json"
import { isMultipleOf, canonicalText } from "../compile/ajv-keywords.ts"
import { compileLinearPattern } from "../compile/linear-pattern.ts"
import { countCharacters, jsonTypeOf } from "../json-schema.ts"
import { fail, type Check, type MakeChecks } from "./node.ts"

/** Creates the checks of `type`, `enum` and `const`, and of the keywords for numbers and strings. */
export const valueChecks: MakeChecks = (schema) => [
  typeCheck(schema["type"]),
  enumCheck(schema["enum"]),
  "const" in schema ? constCheck(schema["const"]) : undefined,
  ...Object.entries(NUMBERS).map(([keyword, rule]) => numberCheck(keyword, schema[keyword], rule)),
  lengthCheck("minLength", schema["minLength"], (length, limit) => length >= limit, "fewer"),
  lengthCheck("maxLength", schema["maxLength"], (length, limit) => length <= limit, "more"),
  patternCheck(schema["pattern"]),
]

interface NumberRule {
  readonly holds: (value: number, limit: number) => boolean
  /** The same rule for numbers with all their digits. */
  readonly holdsExactly: (value: string, limit: string) => boolean
  readonly message: (limit: string) => string
}

const NUMBERS: Readonly<Record<string, NumberRule>> = {
  minimum: {
    holds: (value, limit) => value >= limit,
    holdsExactly: (value, limit) => compareDecimals(value, limit) >= 0,
    message: (limit) => `must be >= ${limit}`,
  },
  maximum: {
    holds: (value, limit) => value <= limit,
    holdsExactly: (value, limit) => compareDecimals(value, limit) <= 0,
    message: (limit) => `must be <= ${limit}`,
  },
  exclusiveMinimum: {
    holds: (value, limit) => value > limit,
    holdsExactly: (value, limit) => compareDecimals(value, limit) > 0,
    message: (limit) => `must be > ${limit}`,
  },
  exclusiveMaximum: {
    holds: (value, limit) => value < limit,
    holdsExactly: (value, limit) => compareDecimals(value, limit) < 0,
    message: (limit) => `must be < ${limit}`,
  },
  multipleOf: {
    holds: isMultipleOf,
    holdsExactly: isDecimalMultiple,
    message: (limit) => `must be multiple of ${limit}`,
  },
}

function typeCheck(type: unknown): Check | undefined {
  if (type === undefined) return undefined
  const types = new Set<unknown>(Array.isArray(type) ? type : [type])
  const message = `must be ${[...types].join(",")}`
  return (value, run) => {
    const own = jsonTypeOf(value)
    if (types.has(own) || (own === "integer" && types.has("number"))) return true
    return fail(run, { keyword: "type", params: { type }, message, data: value })
  }
}

function enumCheck(allowed: unknown): Check | undefined {
  if (!Array.isArray(allowed)) return undefined
  const texts = new Set(allowed.map(canonicalText))
  return (value, run) =>
    texts.has(canonicalText(value)) || fail(run, { keyword: "enum", params: { allowedValues: allowed }, data: value })
}

function constCheck(allowed: unknown): Check {
  const text = canonicalText(allowed)
  return (value, run) =>
    canonicalText(value) === text || fail(run, { keyword: "const", params: { allowedValue: allowed }, data: value })
}

function numberCheck(keyword: string, limit: unknown, { holds, holdsExactly, message }: NumberRule): Check | undefined {
  const text = numberText(limit)
  if (text === undefined) return undefined
  return (value, run) => {
    const given = numberText(value)
    const isRight =
      given === undefined ||
      (typeof value === "number" && typeof limit === "number" ? holds(value, limit) : holdsExactly(given, text))
    return isRight || fail(run, { keyword, params: { limit }, message: message(text), data: value })
  }
}

function lengthCheck(
  keyword: string,
  limit: unknown,
  holds: (length: number, limit: number) => boolean,
  word: string,
): Check | undefined {
  if (typeof limit !== "number") return undefined
  const message = `must NOT have ${word} than ${limit} characters`
  return (value, run) =>
    typeof value !== "string" ||
    holds(countCharacters(value), limit) ||
    fail(run, { keyword, params: { limit }, message, data: value })
}

function patternCheck(pattern: unknown): Check | undefined {
  if (typeof pattern !== "string") return undefined
  const compiled = compileLinearPattern(pattern)
  const message = `must match pattern "${pattern}"`
  return (value, run) =>
    typeof value !== "string" ||
    compiled.test(value) ||
    fail(run, { keyword: "pattern", params: { pattern }, message, data: value })
}
