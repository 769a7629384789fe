import type { RowReading } from "../rows/row-reading.ts"
import type { ColumnTypes, TypeSet } from "./column-types.ts"
import { readField } from "./read-field.ts"
import { splitRecord } from "./split-record.ts"

/** Reads records of these columns as rows: objects of what the fields stand for. */
export function createRecordReader(
  columns: readonly string[],
  delimiter: string,
  typesOf: ColumnTypes,
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
    for (const [index, [name, types]] of wanted.entries()) {
      const value = readField(fields[index] ?? "", types)
      if (value === undefined) continue
      if (name === "__proto__") defineOwn(row, name, value)
      else row[name] = value
    }
    return { row, fault: null }
  }
}

/** An assignment would set the prototype. */
function defineOwn(row: object, name: string, value: unknown): void {
  Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
}
