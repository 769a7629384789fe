import type { TableJournal } from "../journal/table-journal.ts"
import type { EvaluationRow } from "@assay/schemas"
import type { CreateJob } from "../jobs.ts"

/** A job that needs no model. */
export const JOB: CreateJob = {
  namespace: "default",
  target: { type: "rows", name: "given", rows: [{ output: "a" }] },
  config: { type: "custom", name: "checks", namespace: "system", tasks: { t: { type: "data" } } },
}

/** Returns a row of a journal with this index. */
export function rowAt(row_index: number): EvaluationRow {
  return {
    task: "t",
    row_index,
    repeat: 0,
    attempt: 1,
    item: { text: "a\0\ud800\n" },
    sample: null,
    scores: { m: { s: row_index } },
    error: null,
  }
}

/** Returns the rows of a journal. */
export async function rowsOf(journal: Pick<TableJournal, "bytes">): Promise<readonly EvaluationRow[]> {
  const text = Buffer.concat(await Array.fromAsync(journal.bytes())).toString()
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
