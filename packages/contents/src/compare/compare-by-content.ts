import type { FoundDifferences } from "./found-differences.ts"
import { type ComparedRows, partOf, type Unreadable, visitReadable } from "./compared-rows.ts"
import { createRowTable, digestOf } from "./row-table.ts"

const USED = 1

/** Compares rows as wholes: how often each is on either side, in any order. A row that changed is one removed and one added. */
export async function compareByContent({
  from,
  to,
  parts,
  capacity,
  found,
}: ComparedRows & { readonly found: FoundDifferences }): Promise<Unreadable> {
  let unreadable = { from: 0, to: 0 }
  for (let part = 0; part < parts; part += 1) {
    const table = createRowTable(capacity)
    let left = 0
    /** Adds to the number of equal rows, and returns the former number. Undefined: the row belongs to another part. */
    const count = (row: unknown, change: (before: number) => number): number | undefined => {
      const digest = digestOf(row)
      if (partOf(digest, parts) !== part) return undefined
      const slot = table.slotOf(digest)
      const { number } = table.get(slot)
      const after = change(number)
      if (after !== number) table.set(slot, digest, { state: USED, number: after, other: 0n })
      return number
    }
    const less = (before: number) => Math.max(0, before - 1)
    const olds = await visitReadable(from, (row) => {
      if (count(row, (before) => before + 1) !== undefined) left += 1
      return false
    })
    const news = await visitReadable(to, (row, index) => {
      const before = count(row, less)
      if (before === 0) found.add({ change: "added", from: undefined, to: index })
      else if (before !== undefined) {
        found.counts.same += 1
        left -= 1
      }
      return false
    })
    unreadable = { from: olds, to: news }
    if (left === 0) continue
    await visitReadable(from, (row, index) => {
      if ((count(row, less) ?? 0) > 0) found.add({ change: "removed", from: index, to: undefined })
      return false
    })
  }
  return unreadable
}
