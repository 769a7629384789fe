export interface HistogramBin {
  readonly lower_bound: number
  readonly upper_bound: number
  readonly count: number
}

/** Ten bins of equal width from the smallest to the largest value. One bin if all values are equal, and none without values. */
export interface Histogram {
  readonly bins: readonly HistogramBin[]
}

const BINS = 10

/**
 * Counts sorted values in ten bins of equal width. A bin includes its lower bound, and the last bin both bounds. If all values
 * are equal, there is one bin without width.
 */
export function histogramOf(sorted: ArrayLike<number>, counts?: ArrayLike<number>): Histogram {
  const min = sorted[0]
  const max = sorted[sorted.length - 1]
  if (min === undefined || max === undefined) return { bins: [] }
  const timesAt = (at: number) => (counts === undefined ? 1 : (counts[at] ?? 0))
  // Each bound is divided on its own, because the distance of two finite numbers can be infinite.
  const width = max / BINS - min / BINS
  if (width === 0) {
    const count = Array.from({ length: sorted.length }, (_, at) => timesAt(at)).reduce((sum, times) => sum + times, 0)
    return { bins: [{ lower_bound: min, upper_bound: max, count }] }
  }
  const filled = new Float64Array(BINS)
  for (let at = 0; at < sorted.length; at++) {
    const bin = Math.min(BINS - 1, Math.floor(((sorted[at] ?? min) - min) / width))
    filled[bin] = (filled[bin] ?? 0) + timesAt(at)
  }
  const bound = (bin: number) => (bin === BINS ? max : min + bin * width)
  return {
    bins: Array.from(filled, (count, bin) => ({ lower_bound: bound(bin), upper_bound: bound(bin + 1), count })),
  }
}
