import { isFieldOf, type FieldNumbers } from "../formats/csv/read-field.ts"
import type { JsonType } from "../schemas/json-schema.ts"

/** A text of a CSV column, and the line of its row. */
export interface LocatedText {
  readonly text: string
  readonly line: number | null
}

const NARROW: readonly JsonType[] = ["integer", "number", "boolean"]
const NAMES: Readonly<Partial<Record<JsonType, string>>> = {
  integer: "integers",
  number: "numbers",
  boolean: "true or false",
  string: "strings",
  array: "arrays",
  object: "objects",
  null: "null",
}
const MAX_SHOWN = 3
const MAX_CHARACTERS = 40

/**
 * Says that most texts of a column are of a narrower type, and which are not. Returns undefined if fewer than half are. The column is a
 * string because of the others, which are often a mistake or a word for a missing value.
 */
export function nearTypeOf(texts: readonly LocatedText[], decimal: FieldNumbers["decimal"]): string | undefined {
  const given = texts.filter(({ text }) => text !== "")
  for (const type of NARROW) {
    const others = given.filter(({ text }) => !isFieldOf(text, type, decimal))
    if (others.length === 0 || others.length * 2 >= given.length) continue
    const shown = others.slice(0, MAX_SHOWN).map(({ text, line }) => `${quoted(text)} on line ${line}`)
    const more = others.length > MAX_SHOWN ? ` and ${others.length - MAX_SHOWN} more` : ""
    return `${given.length - others.length} of ${given.length} values are ${NAMES[type]}; ${shown.join(", ")}${more} ${others.length === 1 ? "is" : "are"} not`
  }
  return undefined
}

/** Says how many values of each type a location has, if one type is that of at least half of them. */
export function mixedTypes(
  counts: ReadonlyMap<JsonType, number>,
  rare: ReadonlyMap<JsonType, string>,
): string | undefined {
  const kinds = [...counts].filter(([type]) => type !== "null").toSorted(([, a], [, b]) => b - a)
  const total = kinds.reduce((sum, [, count]) => sum + count, 0)
  const [most, ...others] = kinds
  if (most === undefined || others.length === 0 || most[1] * 2 <= total) return undefined
  if (kinds.every(([type]) => type === "integer" || type === "number")) return undefined
  const shown = others.map(([type, count]) => `${count} ${NAMES[type]}, such as ${rare.get(type) ?? type}`)
  return `${most[1]} of ${total} values are ${NAMES[most[0]]}; there are also ${shown.join("; ")}`
}

/** Returns a value as short JSON. */
export function shortJson(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "[…]" : "{…}"
  return typeof value === "string" ? quoted(value) : String(value)
}

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text)
}
