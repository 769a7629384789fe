import type { RowReading } from "../rows/row-reading.ts"
import { excessOf } from "./excess-of.ts"
import { findJsonFault } from "./find-json-fault.ts"

/** The value that `text` is as JSON. */
export function readJson(text: string): RowReading {
  const excess = excessOf(text)
  if (excess !== undefined) return { row: null, fault: excess }
  try {
    return { row: JSON.parse(text) as unknown, fault: null }
  } catch {
    const { at, expected } = findJsonFault(text)
    return { row: null, fault: `is not JSON: ${expected} at ${placeIn(text, at)}` }
  }
}

/** Rows of several lines are easier to find by line. */
function placeIn(text: string, at: number): string {
  if (at === text.length) return "its end"
  const lines = text.slice(0, at).split("\n").length
  return lines === 1 ? `character ${at + 1}` : `character ${at + 1}, on line ${lines} of the row`
}
