import { compareDecimals, isExactNumber, numberText, readNumber } from "@assay/json"
import type { EvaluationRow, ItemRowFilter, TextLocation } from "@assay/schemas"
import { COMPARISONS } from "../selection/match-rows.ts"
import { createTextFinder, type TextFinder } from "./text-finder.ts"

/** A text that a row must contain. */
export interface WantedText {
  readonly within: TextLocation
  /** In lower case. */
  readonly part: string
}

/** A condition of a search on a row. */
export type WantedInRow = WantedText | ItemRowFilter

/** Says whether a row contains all texts that a search wants, and has all values. */
export type RowFinder = (row: EvaluationRow) => boolean

/** Creates the finder of texts and values. The time for a row is linear in its length, whatever they are. */
export function createRowFinder(wanted: readonly WantedInRow[]): RowFinder {
  const texts = wanted.filter((one) => "part" in one)
  const finders = [...Map.groupBy(texts, ({ within }) => within)].map(([within, parts]) => ({
    within,
    finder: createTextFinder(parts.map(({ part }) => part)),
  }))
  const values = wanted.filter((one) => "operator" in one).map(valueMatcher)
  // Every finder reads, so that each of them forgets what it found in this row.
  return (row) =>
    finders
      .map(({ within, finder }) => {
        readLocation(row, within, finder)
        return finder.end()
      })
      .every((hasAll) => hasAll) && values.every((matches) => matches(row))
}

function valueMatcher({ name, operator, value }: ItemRowFilter): RowFinder {
  const bound = value.trim()
  const isNumber = readNumber(bound) !== undefined
  const holds = COMPARISONS[operator]
  return ({ item }) => {
    const found = Object.hasOwn(item, name) ? item[name] : undefined
    if (operator === "$eq" && (found === null || typeof found === "string" || typeof found === "boolean")) {
      return String(found) === value
    }
    // By their texts, so that no digit is lost.
    const number = isNumber ? numberText(found) : undefined
    return number !== undefined && holds(compareDecimals(number, bound), 0)
  }
}

function readLocation({ sample, item }: EvaluationRow, within: TextLocation, finder: TextFinder): void {
  if (within === "row" || within === "output") finder.read(sample?.output_text ?? "")
  if (within === "row") readTexts(item, finder)
  else if (within !== "output") {
    const field = within.slice("item:".length)
    if (Object.hasOwn(item, field)) readTexts(item[field], finder)
  }
}

function readTexts(value: unknown, finder: TextFinder): void {
  if (typeof value === "string") finder.read(value)
  else if (typeof value === "number" || typeof value === "boolean") finder.read(String(value))
  else if (isExactNumber(value)) finder.read(value.rawJSON)
  else if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) readTexts(inner, finder)
  }
}
