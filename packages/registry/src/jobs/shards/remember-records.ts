import type { JournalRecord, JournalRecords } from "../journal-records.ts"

export interface RememberedRecords extends JournalRecords {
  /** Returns all records of the journal in order; undefined if they are not all remembered. */
  all(): readonly JournalRecord[] | undefined
}

/** Characters that are remembered. A journal with more is forgotten. */
const MAX_LENGTH = 8 * 1024 * 1024

/** Remembers the records that one writer adds to an empty journal, so that they need not be read back. */
export function rememberRecords(records: JournalRecords): RememberedRecords {
  const added = new Map<number, JournalRecord>()
  let length = 0
  let isComplete = false
  return {
    ...records,
    async newest(queries) {
      const seq = await records.newest(queries)
      isComplete = seq === 0
      return seq
    },
    async add(queries, record) {
      await records.add(queries, record)
      if (!isComplete) return
      // A record may be added twice if the response to the first attempt was lost.
      if (!added.has(record.seq)) length += record.lines.length
      added.set(record.seq, record)
      if (length <= MAX_LENGTH) return
      isComplete = false
      added.clear()
    },
    all: () => (isComplete ? [...added.values()] : undefined),
  }
}
