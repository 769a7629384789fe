/** One number of a run, beside the bar that it must pass. */
export interface Measurement {
  /** The work, as a reader of the results table sees it. */
  readonly work: string
  /** The measured value with its unit, and what it is compared with. */
  readonly value: string
  /** The bar, in words; `-` for numbers that are printed for comparison alone. */
  readonly bar: string
  /** Undefined where there is no bar. */
  readonly passed?: boolean
}

export interface BenchContext {
  /** An empty folder of the bench's own, on the disk that is measured. */
  readonly folder: string
  readonly log: (line: string) => void
}

/** A group of measurements that share their set-up. */
export interface Bench {
  readonly name: string
  run(context: BenchContext): Promise<readonly Measurement[]>
}

/** `work` against a bar on a ratio that must be at least `bar`. */
export function atLeast(work: string, ratio: number, bar: number, detail: string): Measurement {
  return { work, value: `${ratio.toFixed(2)} (${detail})`, bar: `≥ ${bar}`, passed: ratio >= bar }
}

/** `work` against a bar on a value that must be at most `bar`. */
export function atMost(work: string, value: number, bar: number, detail: string): Measurement {
  return { work, value: `${value.toFixed(2)} (${detail})`, bar: `≤ ${bar}`, passed: value <= bar }
}

/** A number for comparison, without a bar. */
export function forComparison(work: string, value: string): Measurement {
  return { work, value, bar: "-" }
}
