/** A row of a task's dataset. */
export interface SourceRow {
  /** From 0, counted over all files of the dataset. */
  readonly index: number
  readonly item: Readonly<Record<string, unknown>>
  /** Why the row can't be used, as a sentence. */
  readonly fault?: string | undefined
}

/** The rows of a task. */
export interface RowSource {
  /** Reads the rows in order, in batches. */
  readonly open: (signal: AbortSignal) => AsyncIterable<readonly SourceRow[]>
  /** Counts the rows in a separate pass. */
  readonly count: (signal: AbortSignal) => Promise<number>
  /** Reads a part of the rows in order, with their own numbers. Absent: a row depends on the rows before it. */
  readonly openRange?: ((range: RowNumbers, signal: AbortSignal) => AsyncIterable<readonly SourceRow[]>) | undefined
}

/** A range of rows by their numbers. */
export interface RowNumbers {
  readonly start: number
  /** The number after the last row. */
  readonly end: number
}
