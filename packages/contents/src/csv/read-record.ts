import { isExactNumber, type KeptNumbers } from "@assay/schemas"
import type { RowReading } from "../rows/row-reading.ts"
import type { ColumnTypes, TypeSet } from "./column-types.ts"
import { readField } from "./read-field.ts"
import { splitRecord } from "./split-record.ts"

/** Reads records of these columns as rows: objects of what the fields stand for. */
export function createRecordReader(
  columns: readonly string[],
  delimiter: string,
  { typesOf, kept }: { readonly typesOf: ColumnTypes; readonly kept: KeptNumbers },
): (text: string) => RowReading {
  const wanted = columns.map((name): readonly [string, TypeSet] => [name, typesOf(name)])
  return (text) => {
    const split = splitRecord(text, delimiter)
    if (split.fields === null) return { row: null, fault: split.fault }
    const { fields } = split
    if (fields.length !== columns.length) {
      const count = `has ${fields.length} field${fields.length === 1 ? "" : "s"}`
      return { row: null, fault: `${count}, and the header names ${columns.length}` }
    }
    const entries = wanted
      .map(([name, types], index) => [name, readField(fields[index] ?? "", types, kept)] as const)
      .filter(([, value]) => value !== undefined)
    // Own keys whatever they are called, `__proto__` included.
    const row = Object.fromEntries(entries)
    return entries.some(([, value]) => hasExact(value)) ? { row, fault: null, hasExact: true } : { row, fault: null }
  }
}

/** Fields that are arrays or objects are rare: each counts as one that has exact numbers. */
function hasExact(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && (isExactNumber(value) || !Array.isArray(value) || value.length > 0)
  )
}
