import { isExactNumber, type KeptNumbers } from "@assay/schemas/numbers"
import type { RowReading } from "../../rows/row-reading.ts"
import type { ColumnTypes, TypeSet } from "../../schemas/column-types.ts"
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
    const row: Record<string, unknown> = {}
    let isExact = false
    for (const [index, [name, types]] of wanted.entries()) {
      const value = readField(fields[index] ?? "", types, kept)
      if (value === undefined) continue
      isExact ||= hasExact(value)
      if (name === "__proto__") defineOwn(row, name, value)
      else row[name] = value
    }
    return isExact ? { row, fault: null, hasExact: true } : { row, fault: null }
  }
}

/** Fields that are arrays or objects are rare: each counts as one that has exact numbers. */
function hasExact(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && (isExactNumber(value) || !Array.isArray(value) || value.length > 0)
  )
}

/** An assignment would set the prototype. */
function defineOwn(row: object, name: string, value: unknown): void {
  Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
}
