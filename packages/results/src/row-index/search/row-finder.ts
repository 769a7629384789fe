import { isExactNumber } from "@assay/json"
import type { EvaluationRow, TextLocation } from "@assay/schemas"
import { createTextFinder, type TextFinder } from "./text-finder.ts"

/** A text that a row must contain. */
export interface WantedText {
  readonly within: TextLocation
  /** In lower case. */
  readonly part: string
}

/** Says whether a row contains all texts that a search wants. */
export type RowFinder = (row: EvaluationRow) => boolean

/** Creates the finder of texts. The time for a row is linear in its length, whatever the texts are. */
export function createRowFinder(wanted: readonly WantedText[]): RowFinder {
  const finders = [...Map.groupBy(wanted, ({ within }) => within)].map(([within, texts]) => ({
    within,
    finder: createTextFinder(texts.map(({ part }) => part)),
  }))
  // Every finder reads, so that each of them forgets what it found in this row.
  return (row) =>
    finders
      .map(({ within, finder }) => {
        readLocation(row, within, finder)
        return finder.end()
      })
      .every((hasAll) => hasAll)
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
