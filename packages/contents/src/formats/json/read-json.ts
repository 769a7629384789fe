import { parseExactJson, type KeptNumbers, type LostNumber } from "@assay/schemas/numbers"
import type { RowReading } from "../../rows/row-reading.ts"
import { excessOf } from "./excess-of.ts"
import { findJsonFault } from "./find-json-fault.ts"

const LONGEST_NUMBER = 40

/** The value that `text` is as JSON, where it holds no number that `JSON.parse` changes. */
export function readPlainJson(text: string): RowReading {
  const excess = excessOf(text)
  if (excess !== undefined) return { row: null, fault: excess }
  try {
    return { row: JSON.parse(text) as unknown, fault: null }
  } catch {
    return { row: null, fault: notJson(text) }
  }
}

/**
 * The value that `text` is as JSON, with the numbers that JavaScript's don't keep. One that can't be kept at all is a fault. `suspects` as in
 * `parseExactJson`.
 */
export function readJson(text: string, kept: KeptNumbers, suspects?: readonly number[]): RowReading {
  const excess = excessOf(text)
  if (excess !== undefined) return { row: null, fault: excess }
  try {
    const { value, hasExact, lost } = parseExactJson(text, kept, suspects)
    if (lost !== null) return { row: null, fault: lostNumber(text, lost) }
    return hasExact ? { row: value, fault: null, hasExact } : { row: value, fault: null }
  } catch {
    return { row: null, fault: notJson(text) }
  }
}

function notJson(text: string): string {
  const { at, expected } = findJsonFault(text)
  return `is not JSON: ${expected} at ${placeIn(text, at)}`
}

function lostNumber(text: string, lost: LostNumber): string {
  const shown = lost.text.length > LONGEST_NUMBER ? `${lost.text.slice(0, LONGEST_NUMBER)}…` : lost.text
  return `has the number ${shown} at ${placeIn(text, lost.at)}, which can't be kept; write it as text, or with a smaller exponent`
}

/** Rows of several lines are easier to find by line. */
function placeIn(text: string, at: number): string {
  if (at === text.length) return "its end"
  const lines = text.slice(0, at).split("\n").length
  return lines === 1 ? `character ${at + 1}` : `character ${at + 1}, on line ${lines} of the row`
}
