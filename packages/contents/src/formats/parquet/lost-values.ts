import type { RowFault } from "../../schemas/row-checker.ts"

const MAX_OF_ROW = 10

/** A row of a window in which null is in the place of some values. */
export interface RowLoss {
  /** Index in the window. */
  readonly index: number
  readonly values: readonly RowFault[]
}

/** Whether JSON has no number for `value`. */
export function isLostNumber(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value)
}

/** Lists the numbers of a row for which JSON has none, with their JSON pointers: the first ones. */
export function listLostNumbers(row: unknown): readonly RowFault[] {
  const lost: RowFault[] = []
  collect(row, "", lost)
  return lost
}

function collect(value: unknown, pointer: string, lost: RowFault[]): void {
  if (lost.length >= MAX_OF_ROW) return
  if (isLostNumber(value))
    lost.push({ pointer, message: `is ${String(value)}, for which JSON has no number; it is read as null` })
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return
  for (const [key, part] of Object.entries(value)) {
    const token = key.replaceAll("~", "~0").replaceAll("/", "~1")
    collect(part, `${pointer}/${token}`, lost)
  }
}
