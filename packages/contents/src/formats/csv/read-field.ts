import { compareDecimals, exactNumber, parseExactJson, type KeptNumbers } from "@assay/json"
import type { TypeSet } from "../../schemas/column-types.ts"
import type { JsonType } from "../../schemas/json-schema.ts"

/** How the numbers of fields are read. */
export interface FieldNumbers {
  readonly kept: KeptNumbers
  /** The decimal separator. */
  readonly decimal: "." | ","
}

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/**
 * Returns the value that the text of a field means in a column of these types, or undefined if it means no value.
 *
 * Text stays text if the column allows a string. Otherwise an empty field is null, or missing if null is not allowed.
 * Numbers are read as in JSON, with the decimal separator of the file, and keep what `kept` says. `true` and `false` are read in any case, arrays and objects as
 * JSON. Text that can't be read as any of these stays text, so that the schema check reports it.
 */
export function readField(text: string, types: TypeSet, { kept, decimal }: FieldNumbers): unknown {
  if (types.has("string")) return text
  if (text === "") return types.has("null") ? null : undefined
  if (types.has("integer") || types.has("number")) {
    const number = decimal === "." ? text : pointed(text)
    if (JSON_NUMBER.test(number)) return parseNumber(number, kept)
  }
  if (types.has("boolean") && /^(?:true|false)$/i.test(text)) return text.length === 4
  if ((types.has("array") && text.startsWith("[")) || (types.has("object") && text.startsWith("{"))) {
    return parsedOr(text, kept)
  }
  return text
}

/** Returns a number with a decimal comma as one with a point. One with a point is not a number then: the point can separate thousands. */
function pointed(text: string): string {
  return text.includes(".") ? "" : text.replace(",", ".")
}

/** Returns the number, or the text if the number can't be kept. */
function parseNumber(text: string, kept: KeptNumbers): unknown {
  const value = Number(text)
  const written = String(value)
  if (written === text) return value
  if (!Number.isFinite(value) || (value === 0 && compareDecimals(text, "0") !== 0)) return text
  return kept === "value" && compareDecimals(text, written) === 0 ? value : exactNumber(text)
}

function parsedOr(text: string, kept: KeptNumbers): unknown {
  try {
    const { value, lost } = parseExactJson(text, kept)
    return lost === null ? value : text
  } catch {
    return text
  }
}

const GUESSES: readonly JsonType[] = ["integer", "number", "boolean"]
const TEXT: TypeSet = new Set(["string"])

/** Returns the narrowest type that fits all texts of a column. Empty texts are ignored. */
export function guessTypes(texts: readonly string[], decimal: FieldNumbers["decimal"] = "."): TypeSet {
  const given = texts.filter((text) => text !== "")
  if (given.length === 0) return TEXT
  const fits = (type: JsonType) => given.every((text) => isFieldOf(text, type, decimal))
  const guess = GUESSES.find(fits)
  return guess === undefined ? TEXT : new Set([guess])
}

/** Returns whether a text is a value of the type. */
export function isFieldOf(text: string, type: JsonType, decimal: FieldNumbers["decimal"]): boolean {
  return isOf(readField(text, new Set([type]), { kept: "value", decimal }), type)
}

/**
 * Returns whether a value has a type. A number with more digits than a JavaScript number holds is treated as a name,
 * such as an account number.
 */
function isOf(value: unknown, type: JsonType): boolean {
  if (type === "integer") return Number.isSafeInteger(value)
  return typeof value === type && (typeof value !== "number" || !Number.isInteger(value) || Number.isSafeInteger(value))
}
