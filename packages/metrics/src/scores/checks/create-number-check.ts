import { compareDecimals, describeRange, isWithin, NUMBER_RANGES } from "@assay/json"
import { invalidRequest } from "@assay/schemas"
import { lastNumber, type NumberReading } from "./last-number.ts"

export interface NumberCheckOptions {
  /** The largest distance of two numbers. Required for `absolute difference`. */
  readonly epsilon?: number | undefined
  /** Default `exact`. */
  readonly numbers?: NumberReading
}

/** Returns 1 if the comparison is true and 0 if not. Returns NaN if one side has no number. */
export type NumberCheck = (left: string, right: string) => number

/** Compares two numbers that are given as text. */
type Comparison = (left: string, right: string) => boolean

/**
 * Creates a comparison of the last numbers in two texts, exact in all digits. Operators: `==` `equals`, `!=` `<>` `not equals`, `<` `lt` `less than`,
 * `<=` `lte` `less than or equal`, `>` `gt` `greater than`, `>=` `gte` `greater than or equal`, and `absolute difference`,
 * which is true up to `epsilon`.
 * @throws `invalid_request` for another operator, and for an epsilon that is missing or outside the range of margins
 */
export function createNumberCheck(operator: string, { epsilon, numbers }: NumberCheckOptions = {}): NumberCheck {
  const holds = operator === "absolute difference" ? within(epsilon) : comparison(operator)
  return (left, right) => {
    const own = lastNumber(left, numbers)
    const other = lastNumber(right, numbers)
    if (own === undefined || other === undefined) return Number.NaN
    return holds(own, other) ? 1 : 0
  }
}

function within(epsilon: number | undefined): Comparison {
  const { margin } = NUMBER_RANGES
  if (epsilon === undefined || !(epsilon >= margin.minimum && epsilon <= margin.maximum)) {
    throw invalidRequest(["check", "epsilon"], `is ${epsilon}; give ${describeRange(margin)}.`, "minimum", epsilon)
  }
  const distance = String(epsilon)
  return (left, right) => isWithin(left, right, distance)
}

function comparison(operator: string): Comparison {
  switch (operator.replace(/ or equals?(?: to)?$/, " or equal")) {
    case "==":
    case "equals":
      return (left, right) => compareDecimals(left, right) === 0
    case "!=":
    case "<>":
    case "not equals":
      return (left, right) => compareDecimals(left, right) !== 0
    case "<":
    case "lt":
    case "less than":
      return (left, right) => compareDecimals(left, right) < 0
    case "<=":
    case "lte":
    case "less than or equal":
      return (left, right) => compareDecimals(left, right) <= 0
    case ">":
    case "gt":
    case "greater than":
      return (left, right) => compareDecimals(left, right) > 0
    case ">=":
    case "gte":
    case "greater than or equal":
      return (left, right) => compareDecimals(left, right) >= 0
    default:
      throw invalidRequest(
        ["check", 1],
        `'${operator}' is not an operator for numbers; use ==, !=, <>, <, <=, >, >=, their words, or absolute difference.`,
        "enum",
        operator,
      )
  }
}
