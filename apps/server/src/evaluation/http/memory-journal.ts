import type { Journal } from "@assay/evaluation"
import type { EvaluationRow } from "@assay/schemas"

/** A journal for few rows that nobody asks for later. */
export function createMemoryJournal(): Journal {
  const rows: EvaluationRow[] = []
  return {
    append: (row) => void rows.push(row),
    flush: async () => {},
    async *read() {
      if (rows.length > 0) yield [...rows]
    },
    async *bytes() {
      for (const row of rows) yield Buffer.from(`${JSON.stringify(row)}\n`)
    },
    close: async () => {},
  }
}
