import type { EvaluationRow, JobScope } from "@assay/schemas"
import { isFatal } from "./engine/fatal-failures.ts"
import type { Journal } from "./engine/journal.ts"

/**
 * The same journal, whose rows of earlier runs are shown to `onRow` while it is read for the first time: those that this
 * round leaves as they are.
 */
export function observeJournal(journal: Journal, scope: JobScope, onRow: (row: EvaluationRow) => void): Journal {
  let isSeen = false
  return {
    ...journal,
    async *read(signal) {
      const isFirst = !isSeen
      isSeen = true
      for await (const rows of journal.read(signal)) {
        if (isFirst) for (const row of rows) if (isLeft(row, scope)) onRow(row)
        yield rows
      }
    },
  }
}

function isLeft({ error }: EvaluationRow, { kind }: JobScope): boolean {
  return error === null || (kind !== "retry-failed" && !isFatal(error.code))
}
