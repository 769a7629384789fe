/** A row of the results. */
export interface Row {
  /** The work, as the table of results shows it. */
  readonly work: string
  /** The work and its point of comparison, in one sentence. */
  readonly does: string
}

/** One number of a run, with the bar that it must pass. */
export interface Measurement extends Row {
  /** The measured value with its unit and its comparison. */
  readonly value: string
  /** The bar in words; `-` for numbers that are only printed for comparison. */
  readonly bar: string
  /** Undefined without a bar. */
  readonly passed?: boolean
}

export interface BenchContext {
  /** An empty folder of this bench, on the disk that is measured. */
  readonly folder: string
  /** The largest size that `growth` measures. */
  readonly upTo: number
  /** The sections of `decide` that are simulated, by their title. Empty: all. */
  readonly sections: readonly string[]
  readonly log: (line: string) => void
  /** Runs one part of the bench and records its measurements. If it fails, the failure is recorded and the bench continues. */
  readonly part: (name: string, measure: () => Promise<readonly Measurement[]>) => Promise<void>
}

/** A group of measurements that share their set-up. */
export interface Bench {
  readonly name: string
  run(context: BenchContext): Promise<void>
}

/** Returns the measurement of a ratio that must be at least `bar`. */
export function atLeast(row: Row, ratio: number, bar: number, detail: string): Measurement {
  return { ...row, value: `${ratio.toFixed(2)} (${detail})`, bar: `≥ ${bar}`, passed: ratio >= bar }
}

/** Returns the measurement of a ratio or of an amount of memory that must be at most `bar`. */
export function atMost(row: Row, value: number, bar: number, detail: string): Measurement {
  const shown = Number.isInteger(value) ? formatCount(value) : value.toFixed(2)
  return { ...row, value: `${shown} (${detail})`, bar: `≤ ${bar}`, passed: value <= bar }
}

/** Returns a whole number as people write it, such as 10,000. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US")
}

/** Returns a number for comparison, without a bar. */
export function forComparison(row: Row, value: string): Measurement {
  return { ...row, value, bar: "-" }
}
