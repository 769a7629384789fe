import type { RowSource, SourceRow } from "./task-plan.ts"

const BATCH = 256

/** Rows that are written in the target itself. */
export function inlineRows(rows: readonly SourceRow["item"][], limit = rows.length): RowSource {
  const total = Math.min(rows.length, limit)
  return {
    async *open(signal) {
      for (let start = 0; start < total; start += BATCH) {
        signal.throwIfAborted()
        const end = Math.min(start + BATCH, total)
        yield rows.slice(start, end).map((item, at) => ({ index: start + at, item }))
      }
    },
    count: () => Promise.resolve(total),
  }
}
