import type { EvaluationRow } from "@assay/schemas"
import type { RowsReader } from "@assay/results"

/**
 * The rows of a job as they were answered and scored, in the order in which they were written. A job resumes from its journal after a
 * crash. Only one runner writes it at a time.
 */
export interface Journal extends RowsReader {
  /** Adds a row without waiting. It is durable after a later `flush`. */
  append(row: EvaluationRow): void
  /** Makes all rows durable: they survive the end of this process. */
  flush(): Promise<void>
  /** Waits until little is buffered, for callers that append fast. If it is absent, they call `flush` now and then. */
  drained?(): Promise<void>
  close(): Promise<void>
}

/** A journal in files of this machine. */
export interface FileJournal extends Journal {
  /** Returns the bytes of all of its lines. */
  size(): number
  slice(start: number, end: number): Promise<Buffer>
}
