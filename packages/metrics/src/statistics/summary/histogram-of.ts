export interface HistogramBin {
  readonly lower_bound: number
  readonly upper_bound: number
  readonly count: number
}

/** Ten bins of equal width from the smallest to the largest value; one where all values are the same; none without values. */
export interface Histogram {
  readonly bins: readonly HistogramBin[]
}

const BINS = 10

/**
 * Counts sorted values into ten equal bins. A bin holds its lower bound, and the last one both. Equal values are one bin, which
 * has no width.
 */
export function histogramOf(sorted: ArrayLike<number>, counts?: ArrayLike<number>): Histogram {
  const min = sorted[0]
  const max = sorted[sorted.length - 1]
  if (min === undefined || max === undefined) return { bins: [] }
  const timesAt = (at: number) => (counts === undefined ? 1 : (counts[at] ?? 0))
  // Each bound is divided on its own: the distance of two finite numbers can be past the largest number.
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
