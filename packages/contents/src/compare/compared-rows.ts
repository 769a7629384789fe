import { setImmediate } from "node:timers/promises"
import type { Row } from "../rows/row.ts"
import type { ValueDigest } from "./row-table.ts"

/** The rows of one side of a comparison. They are read several times. */
export interface RowSide {
  /** For messages, such as `main`. */
  readonly name: string
  readonly rows: () => AsyncIterable<readonly Row[]>
}

/** Rows that are compared part by part, so that a table of one part fits into memory. */
export interface ComparedRows {
  readonly from: RowSide
  readonly to: RowSide
  readonly parts: number
  /** Maximum number of rows of a part, with a reserve. */
  readonly capacity: number
}

/** Rows after which other work of the process may run. */
const TURN = 4000

/** Calls `visit` for each row that can be read, with its index, until it returns true. Returns the number of rows that can't be read. */
export async function visitReadable(
  { rows }: RowSide,
  visit: (row: unknown, index: number) => boolean | undefined,
): Promise<number> {
  let unreadable = 0
  for await (const batch of rows()) {
    for (const { row, fault, row_index } of batch) {
      if (fault !== null) unreadable += 1
      else if (visit(row, row_index) === true) return unreadable
      if (row_index % TURN === 0) await setImmediate()
    }
  }
  return unreadable
}

/** Rows that can't be read, which are not compared. */
export interface Unreadable {
  readonly from: number
  readonly to: number
}

/** Returns the part of a digest. Its slot in the table of the part depends on other bits. */
export function partOf({ low }: ValueDigest, parts: number): number {
  return parts === 1 ? 0 : Number(low % BigInt(parts))
}
