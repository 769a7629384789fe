import type { Queries } from "@assay/database"
import type { JournalRecord, JournalRecords } from "../journal/journal-records.ts"

export interface RememberedRecords extends JournalRecords {
  /** Remembers a record that is being added. */
  remember(record: JournalRecord): void
  /** Returns all records of the journal in order; undefined if they are not all remembered. */
  all(): readonly JournalRecord[] | undefined
  /** Returns whether this writer has added all records of the journal. */
  areOwn(): boolean
}

/** Characters that are remembered. A journal with more is forgotten. */
const MAX_LENGTH = 8 * 1024 * 1024

/** Remembers the records that one writer adds to a journal that was empty, so that they need not be read back. `isNew` says that it is. */
export function rememberRecords(records: JournalRecords, isNew: boolean): RememberedRecords {
  const remembered = new Map<number, JournalRecord>()
  let length = 0
  let isComplete = isNew
  let areOwn = isNew
  return {
    ...records,
    async newest(queries: Queries) {
      if (isNew) return 0
      const seq = await records.newest(queries)
      isComplete = areOwn = seq === 0
      return seq
    },
    remember(record) {
      if (!isComplete) return
      // A record is added again if the response to the first attempt was lost.
      if (!remembered.has(record.seq)) length += record.lines.length
      remembered.set(record.seq, record)
      if (length <= MAX_LENGTH) return
      isComplete = false
      remembered.clear()
    },
    areOwn: () => areOwn,
    all: () => (isComplete ? [...remembered.values()] : undefined),
  }
}
