import { invalidRequest } from "@assay/schemas"
import { type LinearPattern, createLinearPattern } from "./create-linear-pattern.ts"

const MAX_PATTERNS = 256

/**
 * Returns 1 if the comparison is true, else 0. NaN: the right side of a search is empty, so that every text would contain it.
 * @throws `invalid_request` for a bad pattern of `matches`
 */
export type StringCheck = (left: string, right: string) => number

/**
 * Creates a case-sensitive comparison of two texts. Operators: `equals` `==`, `not equals` `!=` `<>`, `contains`, `not contains`,
 * `startswith`, `endswith`, `matches` (the right side is a regular expression in RE2 syntax that is searched anywhere in the left
 * side; anchor it with `^` and `$`). It caches up to 256 compiled patterns.
 * @throws `invalid_request` for another operator
 */
export function createStringCheck(operator: string): StringCheck {
  const holds = comparison(operator)
  const isSearch = SEARCHES.has(operator)
  return (left, right) => (isSearch && right === "" ? Number.NaN : holds(left, right) ? 1 : 0)
}

const SEARCHES: ReadonlySet<string> = new Set(["contains", "not contains", "startswith", "endswith", "matches"])

function comparison(operator: string): (left: string, right: string) => boolean {
  switch (operator) {
    case "equals":
    case "==":
      return (left, right) => left === right
    case "not equals":
    case "!=":
    case "<>":
      return (left, right) => left !== right
    case "contains":
      return (left, right) => left.includes(right)
    case "not contains":
      return (left, right) => !left.includes(right)
    case "startswith":
      return (left, right) => left.startsWith(right)
    case "endswith":
      return (left, right) => left.endsWith(right)
    case "matches":
      return createMatches()
    default:
      throw invalidRequest(
        ["check", 1],
        `'${operator}' is not an operator for texts; use equals, ==, not equals, !=, <>, contains, not contains, startswith, endswith or matches.`,
        "enum",
        operator,
      )
  }
}

function createMatches(): (left: string, right: string) => boolean {
  const patterns = new Map<string, LinearPattern>()
  return (left, right) => {
    const known = patterns.get(right)
    if (known !== undefined) return known.isIn(left)
    const pattern = createLinearPattern(right, ["check", "2"])
    if (patterns.size === MAX_PATTERNS) patterns.clear()
    patterns.set(right, pattern)
    return pattern.isIn(left)
  }
}
