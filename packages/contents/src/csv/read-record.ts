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
    const entries = wanted
      .map(([name, types], index) => [name, readField(fields[index] ?? "", types)] as const)
      .filter(([, value]) => value !== undefined)
    // Own keys whatever they are called, `__proto__` included.
    return { row: Object.fromEntries(entries), fault: null }
  }
}
