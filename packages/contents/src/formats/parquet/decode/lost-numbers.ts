import { escapePointerToken } from "../../../schemas/json-schema.ts"
import type { RowFault } from "../../../schemas/row-checker.ts"
import { listEntries, nameOfField, type KeptTypes } from "./kept-types.ts"

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

/** Lists the first 10 numbers of a row that JSON can't represent, with their JSON pointers. `types` are those of its columns. */
export function listLostNumbers(row: unknown, types?: KeptTypes): readonly RowFault[] {
  const lost: RowFault[] = []
  collect(row, { pointer: "", types }, lost)
  const message = "has a number in a variant that JSON can't represent; it is read as null"
  return lost.length === 0 ? [{ pointer: "", message }] : lost
}

interface Location {
  readonly pointer: string
  readonly types: KeptTypes | undefined
}

function collect(value: unknown, { pointer, types }: Location, lost: RowFault[]): void {
  if (lost.length >= MAX_OF_ROW) return
  if (isLostNumber(value))
    lost.push({ pointer, message: `is ${String(value)}, which JSON can't represent; it is read as null` })
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return
  const below = (name: string, part: unknown, within: KeptTypes | undefined) =>
    collect(part, { pointer: `${pointer}/${escapePointerToken(name)}`, types: within }, lost)
  if (types?.entries !== undefined && !Array.isArray(value)) {
    for (const entry of listEntries(value, types.entries)) {
      below(String(entry.key), entry.value, types.entries.value.types)
    }
    return
  }
  for (const [key, part] of Object.entries(value)) {
    below(nameOfField(key), part, Array.isArray(value) ? types : types?.fields?.get(key))
  }
}
