import { hash } from "node:crypto"
import type { LabelledPrompt } from "../calibration/prompts/labelled-prompt.ts"

/** The share of the rows that order the candidates. The others certify, which takes more of them. */
export const TUNING_SHARE = 0.4

/** The part of a row that a split needs: whether it is unsafe, and a number that depends on its text and the seed. */
export interface SplitRow {
  readonly isUnsafe: boolean
  readonly number: number
  /** Whether the output rails judge it. */
  readonly hasResponse: boolean
}

const HEX_OF_48_BITS = 12

export function splitRowOf(row: LabelledPrompt, seed: number): SplitRow {
  const text = JSON.stringify([seed, row.prompt, row.response ?? null])
  return {
    isUnsafe: row.label === "unsafe",
    hasResponse: row.response !== undefined,
    number: Number.parseInt(hash("sha256", text).slice(0, HEX_OF_48_BITS), 16),
  }
}

/**
 * Returns for each row whether it belongs to the tuning set: the same share of safe and of unsafe rows, at random by the seed. Equal texts are in the
 * same set, and the order of the rows does not matter.
 */
export function splitRows(rows: readonly Pick<SplitRow, "isUnsafe" | "number">[]): readonly boolean[] {
  const bounds = [false, true].map((isUnsafe) => {
    const numbers = rows.filter((row) => row.isUnsafe === isUnsafe).map(({ number }) => number)
    return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * TUNING_SHARE) - 1] ?? -1
  })
  return rows.map(({ isUnsafe, number }) => number <= (bounds[isUnsafe ? 1 : 0] ?? -1))
}
