import type { JournalBatch } from "@assay/job-store"
import type { EvaluationRow } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { collectFacts } from "./collect-facts.ts"
import { journalInDatabase } from "./journal-in-database.ts"

const rowAt = (row_index: number): EvaluationRow => ({
  task: "t",
  row_index,
  repeat: 0,
  attempt: 1,
  item: { topic: "a", text: "A long text." },
  sample: null,
  scores: { m: { s: row_index } },
  error: null,
})

/** Returns a batch with one row. */
function batchOf(row: EvaluationRow, facts: string | undefined, read: number[]): JournalBatch {
  return {
    facts,
    async *lines() {
      read.push(row.row_index)
      yield Buffer.from(`${JSON.stringify(row)}\n`)
    },
  }
}

function factsOf(row: EvaluationRow, fields: readonly string[]): string {
  const facts = collectFacts("t", fields)
  facts.add(row)
  return facts.text() ?? ""
}

it(
  "Facts of rows are read where a worker has stored them, and lines where it has not, or without the wanted fields",
  verifies("shards.facts"),
  async () => {
    const read: number[] = []
    const unused = () => expect.fail("Nobody calls this.")
    const journal = journalInDatabase({
      append: unused,
      flush: unused,
      drained: unused,
      close: unused,
      bytes: unused,
      async *batches() {
        yield batchOf(rowAt(0), factsOf(rowAt(0), ["topic"]), read)
        yield batchOf(rowAt(1), undefined, read)
        yield batchOf(rowAt(2), factsOf(rowAt(2), []), read)
        yield batchOf(rowAt(3), '{"version":2}', read)
      },
    })
    const rows = (await Array.fromAsync(journal.readFacts?.(["topic"]) ?? [])).flat()
    expect(rows).toEqual([{ ...rowAt(0), item: { topic: "a" } }, rowAt(1), rowAt(2), rowAt(3)])
    expect(read).toEqual([1, 2, 3])
  },
)
