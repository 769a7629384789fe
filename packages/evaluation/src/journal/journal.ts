import type { EvaluationRow } from "@assay/schemas"

/**
 * The rows of a job as they were answered and scored, in the order of writing: the truth from which a job goes on after
 * a crash. Only one runner writes it at a time.
 */
export interface Journal {
  /** Takes a row; it is safe when a later `flush` has ended. Returns at once. */
  append(row: EvaluationRow): void
  /** What was appended outlasts the end of this process. */
  flush(): Promise<void>
  /** Waits while much is held in memory, for whoever appends fast. Without it, `flush` is waited for now and then. */
  drained?(): Promise<void>
  /** Every whole row, in batches; a torn last line is passed over. */
  read(signal?: AbortSignal): AsyncIterable<readonly EvaluationRow[]>
  /** The same as the bytes of `rows.jsonl`. */
  bytes(signal?: AbortSignal): AsyncIterable<Uint8Array>
  close(): Promise<void>
}
