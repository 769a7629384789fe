/** One number of a run, with the bar that it must pass. */
export interface Measurement {
  /** The work, as the table of results shows it. */
  readonly work: string
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
  readonly log: (line: string) => void
}

/** A group of measurements that share their set-up. */
export interface Bench {
  readonly name: string
  run(context: BenchContext): Promise<readonly Measurement[]>
}

/** Returns the measurement of a ratio that must be at least `bar`. */
export function atLeast(work: string, ratio: number, bar: number, detail: string): Measurement {
  return { work, value: `${ratio.toFixed(2)} (${detail})`, bar: `≥ ${bar}`, passed: ratio >= bar }
}

/** Returns the measurement of a value that must be at most `bar`. */
export function atMost(work: string, value: number, bar: number, detail: string): Measurement {
  return { work, value: `${value.toFixed(2)} (${detail})`, bar: `≤ ${bar}`, passed: value <= bar }
}

/** Returns a number for comparison, without a bar. */
export function forComparison(work: string, value: string): Measurement {
  return { work, value, bar: "-" }
}
