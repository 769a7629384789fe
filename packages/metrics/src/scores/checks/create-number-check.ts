import { invalidRequest } from "@assay/schemas"
import { type NumberReading, parseLastNumber } from "./parse-last-number.ts"

export interface NumberCheckOptions {
  /** How far apart two numbers may be under `absolute difference`, which needs it. */
  readonly epsilon?: number
  /** Default `exact`. */
  readonly numbers?: NumberReading
}

/** 1 where the comparison holds, 0 where it does not, NaN where there is a side without a number. */
export type NumberCheck = (left: string, right: string) => number

type Comparison = (left: number, right: number) => boolean

/**
 * A comparison of the last numbers in two texts. Operators: `==` `equals`, `!=` `<>` `not equals`, `<` `lt` `less than`,
 * `<=` `lte` `less than or equal`, `>` `gt` `greater than`, `>=` `gte` `greater than or equal`, and `absolute difference`,
 * which holds up to `epsilon`.
 * @throws `invalid_request` for another operator, and for an epsilon that is missing or below 0
 */
export function createNumberCheck(operator: string, { epsilon, numbers }: NumberCheckOptions = {}): NumberCheck {
  const holds = operator === "absolute difference" ? within(epsilon) : comparison(operator)
  return (left, right) => {
    const [own, other] = [parseLastNumber(left, numbers), parseLastNumber(right, numbers)]
    if (Number.isNaN(own) || Number.isNaN(other)) return Number.NaN
    return holds(own, other) ? 1 : 0
  }
}

function within(epsilon: number | undefined): Comparison {
  if (epsilon === undefined || !(epsilon >= 0)) {
    throw invalidRequest(["check", "epsilon"], `is ${epsilon}; give a number from 0 on.`, "minimum", epsilon)
  }
  return (left, right) => Math.abs(left - right) <= epsilon
}

function comparison(operator: string): Comparison {
  switch (operator.replace(/ or equals?(?: to)?$/, " or equal")) {
    case "==":
    case "equals":
      return (left, right) => left === right
    case "!=":
    case "<>":
    case "not equals":
      return (left, right) => left !== right
    case "<":
    case "lt":
    case "less than":
      return (left, right) => left < right
    case "<=":
    case "lte":
    case "less than or equal":
      return (left, right) => left <= right
    case ">":
    case "gt":
    case "greater than":
      return (left, right) => left > right
    case ">=":
    case "gte":
    case "greater than or equal":
      return (left, right) => left >= right
    default:
      throw invalidRequest(
        ["check", 1],
        `'${operator}' compares no numbers; use ==, !=, <>, <, <=, >, >=, their words, or absolute difference.`,
        "enum",
        operator,
      )
  }
}
