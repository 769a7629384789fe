import type { ValidationIssue } from "@assay/schemas"
import { describeRange, isObject, readNumber, readWholeNumber } from "@assay/json"

type NumberSchema = Readonly<Record<string, unknown>>

/**
 * Returns a function that converts the texts of numeric parameters to numbers, in place, and reports those that are not numbers as JSON
 * writes them. JavaScript would also read `0x1`, `1e999` and an empty text.
 */
export function numberReader(schema: unknown, part: "query" | "path"): (parameters: unknown) => ValidationIssue[] {
  const numbers = [...numbersIn(schema)]
  return (parameters) => {
    if (!isObject(parameters)) return []
    const given = parameters as Record<string, unknown>
    return numbers.flatMap(([name, rule]) => {
      const text = given[name]
      if (typeof text !== "string") return []
      const isWhole = rule["type"] === "integer"
      const value = isWhole ? readWholeNumber(text) : readNumber(text)
      if (value === undefined) {
        const type = isWhole ? "int_parsing" : "float_parsing"
        return [{ loc: [part, name], msg: `Must be ${describeRange(rule)}`, type, input: text }]
      }
      given[name] = value
      return []
    })
  }
}

function* numbersIn(schema: unknown): Generator<readonly [string, NumberSchema]> {
  if (!isObject(schema)) return
  const { properties, allOf } = schema
  if (Array.isArray(allOf)) for (const inner of allOf) yield* numbersIn(inner)
  if (!isObject(properties)) return
  for (const [name, rule] of Object.entries(properties)) {
    if (isObject(rule) && (rule["type"] === "integer" || rule["type"] === "number")) yield [name, rule]
  }
}
