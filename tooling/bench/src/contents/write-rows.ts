import { closeSync, openSync, writeSync } from "node:fs"
import { rowText } from "./row-schema.ts"

const AT_A_TIME = 10_000

/** Writes JSON lines up to a number of rows or bytes, and returns the number of rows. */
export function writeRows(file: string, most: { readonly rows?: number; readonly bytes?: number }): number {
  const { rows = Infinity, bytes = Infinity } = most
  const descriptor = openSync(file, "w")
  let count = 0
  for (let size = 0; count < rows && size < bytes;) {
    const lines = Array.from({ length: Math.min(AT_A_TIME, rows - count) }, (_, index) => rowText(count + index))
    size += writeSync(descriptor, `${lines.join("\n")}\n`)
    count += lines.length
  }
  closeSync(descriptor)
  return count
}
