import { escapePointerToken } from "../../../schemas/json-schema.ts"
import type { RowFault } from "../../../schemas/row-checker.ts"

const MAX_OF_ROW = 10

/** A row in which null replaces some values. */
export interface RowLoss {
  /** Index of the row in its window. */
  readonly index: number
  readonly values: readonly RowFault[]
}

/** Returns whether `value` is a number that JSON can't represent. */
export function isLostNumber(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value)
}

/** Lists the first 10 numbers of a row that JSON can't represent, with their JSON pointers. */
export function listLostNumbers(row: unknown): readonly RowFault[] {
  const lost: RowFault[] = []
  collect(row, "", lost)
  const message = "has a number in a variant that JSON can't represent; it is read as null"
  return lost.length === 0 ? [{ pointer: "", message }] : lost
}

function collect(value: unknown, pointer: string, lost: RowFault[]): void {
  if (lost.length >= MAX_OF_ROW) return
  if (isLostNumber(value))
    lost.push({ pointer, message: `is ${String(value)}, which JSON can't represent; it is read as null` })
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return
  for (const [key, part] of Object.entries(value)) {
    collect(part, `${pointer}/${escapePointerToken(key)}`, lost)
  }
}
