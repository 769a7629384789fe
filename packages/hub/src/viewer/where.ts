import { rowCondition } from "@assay/contents"
import { AssayError, cutMiddle } from "@assay/schemas"
import { tokenize, type Token } from "./where-tokens.ts"

/** Whether a row satisfies a condition; null if a value that decides is missing, as in SQL. */
export type Truth = boolean | null
export type WhereCondition = (row: unknown) => Truth

const OPERATORS = {
  "=": "$eq",
  "<>": "$nin",
  "!=": "$nin",
  "<": "$lt",
  "<=": "$lte",
  ">": "$gt",
  ">=": "$gte",
} as const
type Comparator = keyof typeof OPERATORS

const MAX_DEPTH = 50
const MAX_COMPARISONS = 100

/**
 * Parses the condition of a filter: comparisons `"column" = 'text'` of a column with a text, a number, `true` or `false`, by `=`, `<>`,
 * `!=`, `<`, `<=`, `>` and `>=`; `"column" IS NULL`, `IS NOT NULL`; `NOT`, `AND`, `OR` and parentheses. Nothing is executed as SQL.
 * @throws `bad_filter`, which names the position
 */
export function parseWhere(text: string): WhereCondition {
  const tokens = tokenize(text, "where")
  const reader = { tokens, at: 0, comparisons: 0 }
  const condition = parseOr(reader, 0)
  const rest = tokens[reader.at]
  if (rest !== undefined) throw unexpected(rest, "AND, OR or the end")
  return condition
}

interface Reader {
  readonly tokens: readonly Token[]
  at: number
  comparisons: number
}

function parseOr(reader: Reader, depth: number): WhereCondition {
  const parts = [parseAnd(reader, depth)]
  while (takeWord(reader, "OR")) parts.push(parseAnd(reader, depth))
  return parts.length === 1 ? (parts[0] as WhereCondition) : (row) => joined(parts, row, true)
}

function parseAnd(reader: Reader, depth: number): WhereCondition {
  const parts = [parseNot(reader, depth)]
  while (takeWord(reader, "AND")) parts.push(parseNot(reader, depth))
  return parts.length === 1 ? (parts[0] as WhereCondition) : (row) => joined(parts, row, false)
}

/** Joins conditions: one that is `deciding` decides, and one that is null makes the result null otherwise. */
function joined(parts: readonly WhereCondition[], row: unknown, deciding: boolean): Truth {
  let result: Truth = !deciding
  for (const part of parts) {
    const truth = part(row)
    if (truth === deciding) return deciding
    if (truth === null) result = null
  }
  return result
}

function parseNot(reader: Reader, depth: number): WhereCondition {
  if (depth > MAX_DEPTH) throw badWhere(`it is nested more than ${MAX_DEPTH} levels deep`)
  if (takeWord(reader, "NOT")) {
    const inner = parseNot(reader, depth + 1)
    return (row) => {
      const truth = inner(row)
      return truth === null ? null : !truth
    }
  }
  if (takeSymbol(reader, "(")) {
    const inner = parseOr(reader, depth + 1)
    if (!takeSymbol(reader, ")")) throw unexpected(reader.tokens[reader.at], "`)`")
    return inner
  }
  return parseComparison(reader)
}

function parseComparison(reader: Reader): WhereCondition {
  if ((reader.comparisons += 1) > MAX_COMPARISONS) throw badWhere(`it has more than ${MAX_COMPARISONS} comparisons`)
  const column = takeColumn(reader)
  if (takeWord(reader, "IS")) {
    const wanted = !takeWord(reader, "NOT")
    if (!takeWord(reader, "NULL")) throw unexpected(reader.tokens[reader.at], "NULL")
    return (row) => isNothing(valueOf(row, column)) === wanted
  }
  const symbol = reader.tokens[reader.at]
  if (symbol?.kind !== "symbol" || !Object.hasOwn(OPERATORS, symbol.text))
    throw unexpected(symbol, `one of ${Object.keys(OPERATORS).join(" ")}`)
  reader.at++
  const operand = takeValue(reader)
  const holds = rowCondition([{ keys: [column], operator: OPERATORS[symbol.text as Comparator], operands: [operand] }])
  return (row) => (isNothing(valueOf(row, column)) ? null : holds(row))
}

function takeColumn(reader: Reader): string {
  const token = reader.tokens[reader.at]
  if (token?.kind !== "column" && token?.kind !== "word")
    throw unexpected(token, 'a column in double quotes, such as "age"')
  reader.at++
  return token.text
}

function takeValue(reader: Reader) {
  const token = reader.tokens[reader.at]
  reader.at++
  if (token?.kind === "text") return { readings: [token.text], written: token.text }
  if (token?.kind === "number") return { readings: [Number(token.text)], written: token.text }
  const word = token?.kind === "word" ? token.text.toLowerCase() : ""
  if (word === "true" || word === "false") return { readings: [word === "true"], written: word === "true" }
  throw unexpected(token, "a value: 'text' in single quotes, a number, true or false")
}

function takeWord(reader: Reader, word: string): boolean {
  const token = reader.tokens[reader.at]
  if (token?.kind !== "word" || token.text.toUpperCase() !== word) return false
  reader.at++
  return true
}

function takeSymbol(reader: Reader, symbol: string): boolean {
  const token = reader.tokens[reader.at]
  if (token?.kind !== "symbol" || token.text !== symbol) return false
  reader.at++
  return true
}

/** Returns the value of a column; undefined if the row has none. */
export function valueOf(row: unknown, column: string): unknown {
  if (typeof row !== "object" || row === null || !Object.hasOwn(row, column)) return undefined
  return Reflect.get(row, column)
}

export function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}

function badWhere(reason: string): AssayError {
  return new AssayError("bad_filter", `\`where\` can't be read: ${reason}.`)
}

function unexpected(token: Token | undefined, wanted: string): AssayError {
  const found = token === undefined ? "it ends" : `position ${token.position} has '${cutMiddle(token.text, 60)}'`
  return badWhere(`${found} where ${wanted} is expected`)
}
