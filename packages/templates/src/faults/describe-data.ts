import { isExactNumber } from "@assay/json"

/** Describes the type of a value, to follow "it is" in a message. */
export function describeData(value: unknown): string {
  if (value === undefined) return "not there"
  if (value === null) return "null"
  if (isExactNumber(value)) return "a number"
  if (Array.isArray(value)) return `a list of ${value.length === 1 ? "one entry" : `${value.length} entries`}`
  switch (typeof value) {
    case "string":
      return "a text"
    case "number":
      return "a number"
    case "boolean":
      return "a boolean"
    case "object":
      return isNamed(value) ? `of the class ${value.constructor.name}` : "an object"
    case "undefined":
    case "bigint":
    case "function":
    case "symbol":
      return `a ${typeof value}`
    default:
      return "nothing known"
  }
}

function isNamed(value: object): boolean {
  return typeof value.constructor === "function" && value.constructor !== Object && value.constructor.name !== ""
}
