import type { Journal } from "../journal/journal.ts"

/** A journal that tells once that a row was added. */
export function onFirstRow(journal: Journal, onRow: () => void): Journal {
  let isTold = false
  return {
    ...journal,
    append(row) {
      journal.append(row)
      if (isTold) return
      isTold = true
      onRow()
    },
  }
}
