import type { EvaluationRow } from "@assay/schemas"
import type { CreateJob } from "../jobs/jobs.ts"

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
