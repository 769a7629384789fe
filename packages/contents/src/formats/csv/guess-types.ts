import type { JsonType } from "../../schemas/json-type.ts"
import type { TypeSet } from "../../schemas/column-types.ts"
import { readField } from "./read-field.ts"

const GUESSES: readonly JsonType[] = ["integer", "number", "boolean"]
const TEXT: TypeSet = new Set(["string"])

/** The narrowest type that all texts of a column can be read as; empty ones are none. */
export function guessTypes(texts: readonly string[]): TypeSet {
  const given = texts.filter((text) => text !== "")
  if (given.length === 0) return TEXT
  const fits = (type: JsonType) => given.every((text) => isOf(readField(text, new Set([type]), "value"), type))
  const guess = GUESSES.find(fits)
  return guess === undefined ? TEXT : new Set([guess])
}

/** A number with more digits than JavaScript's hold is a name of something, such as an account. */
function isOf(value: unknown, type: JsonType): boolean {
  if (type === "integer") return Number.isSafeInteger(value)
  return typeof value === type && (typeof value !== "number" || !Number.isInteger(value) || Number.isSafeInteger(value))
}
