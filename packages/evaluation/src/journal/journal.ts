import type { EvaluationRow } from "@assay/schemas"

/**
 * The rows of a job as they were answered and scored, in the order in which they were written. A job resumes from its journal after a
 * crash. Only one runner writes it at a time.
 */
export interface Journal {
  /** Adds a row without waiting. It is durable after a later `flush`. */
  append(row: EvaluationRow): void
  /** Makes all rows durable: they survive the end of this process. */
  flush(): Promise<void>
  /** Waits until little is buffered, for callers that append fast. If it is absent, they call `flush` now and then. */
  drained?(): Promise<void>
  /** Reads every whole row, in batches. An incomplete last line is skipped. */
  read(signal?: AbortSignal): AsyncIterable<readonly EvaluationRow[]>
  /** Reads the same rows as the bytes of `rows.jsonl`. */
  bytes(signal?: AbortSignal): AsyncIterable<Uint8Array>
  close(): Promise<void>
}
