import type { TableJournal } from "@assay/job-store"
import type { Journal } from "./journal.ts"
import { readRows } from "@assay/results"
import { openFacts } from "./read-facts.ts"

/** Returns the journal of a job or a shard in the database as one that also parses its rows. */
export function journalInDatabase(journal: TableJournal): Journal {
  return {
    ...journal,
    read: (signal) => readRows(journal.bytes(signal)),
    async *readFacts(fields, signal) {
      for await (const { facts, lines } of journal.batches(signal)) {
        const rows = facts === undefined ? undefined : openFacts(facts, fields)
        yield* rows ?? readRows(lines())
      }
    },
  }
}
