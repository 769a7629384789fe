import { AssayError, cutMiddle, printable } from "@assay/schemas"
import type { FoundDifferences } from "./found-differences.ts"
import { type ComparedRows, partOf, type Unreadable, visitReadable } from "./compared-rows.ts"
import { createRowTable, digestOf } from "./row-table.ts"

/** States of a key: only in the former rows, in both, only in the later ones. */
const FORMER = 1
const BOTH = 2
const LATER = 3
const MAX_SHOWN = 60

/**
 * Compares rows by the value of a field, which is another one in each row. Rows in another order are the same rows.
 * @throws `bad_request` for a row without the field, and for a value that two rows of one side have
 */
export async function compareByKey(
  { from, to, parts, capacity, found }: ComparedRows & { readonly found: FoundDifferences },
  keys: readonly string[],
): Promise<Unreadable> {
  let unreadable = { from: 0, to: 0 }
  for (let part = 0; part < parts; part += 1) {
    const table = createRowTable(capacity)
    const olds = await visitReadable(from, (row, index) => {
      const value = keyOf(row, keys, { side: from.name, index })
      const digest = digestOf(value)
      if (partOf(digest, parts) !== part) return false
      const slot = table.slotOf(digest)
      if (table.get(slot).state !== 0) throw repeated(keys, value, { side: from.name, index })
      table.set(slot, digest, { state: FORMER, number: index, other: digestOf(row).low })
      return false
    })
    const news = await visitReadable(to, (row, index) => {
      const value = keyOf(row, keys, { side: to.name, index })
      const digest = digestOf(value)
      if (partOf(digest, parts) !== part) return false
      const slot = table.slotOf(digest)
      const { state, number, other } = table.get(slot)
      if (state === BOTH || state === LATER) throw repeated(keys, value, { side: to.name, index })
      table.set(slot, digest, { state: state === FORMER ? BOTH : LATER, number, other })
      if (state !== FORMER) found.add({ change: "added", from: undefined, to: index })
      else if (other === digestOf(row).low) found.counts.same += 1
      else found.add({ change: "changed", from: number, to: index })
      return false
    })
    unreadable = { from: olds, to: news }
    for (const slot of table.used()) {
      const { state, number } = table.get(slot)
      if (state === FORMER) found.add({ change: "removed", from: number, to: undefined })
    }
  }
  return unreadable
}

interface RowOfSide {
  readonly side: string
  readonly index: number
}

function keyOf(row: unknown, keys: readonly string[], { side, index }: RowOfSide): unknown {
  const value = keys.reduce<unknown>((held, key) => {
    if (typeof held !== "object" || held === null || !Object.hasOwn(held, key)) return undefined
    return Reflect.get(held, key)
  }, row)
  if (value !== undefined && value !== null) return value
  const message = `Row ${index} of ${side} has no value of '${shownKey(keys)}'. Compare by another field, or leave the key out.`
  throw new AssayError("bad_request", message)
}

function repeated(keys: readonly string[], value: unknown, { side, index }: RowOfSide): AssayError {
  const shown = printable(cutMiddle(JSON.stringify(value), MAX_SHOWN))
  const message = `Two rows of ${side} have the value ${shown} of '${shownKey(keys)}'; one of them is row ${index}. Compare by a field whose values differ, or leave the key out.`
  return new AssayError("bad_request", message)
}

const shownKey = (keys: readonly string[]) => printable(keys.join("/"))
