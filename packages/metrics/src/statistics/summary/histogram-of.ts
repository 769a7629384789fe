export interface HistogramBin {
  readonly lower_bound: number
  readonly upper_bound: number
  readonly count: number
}

/** Ten bins of equal width from the smallest to the largest value; none without values. */
export interface Histogram {
  readonly bins: readonly HistogramBin[]
}

const BINS = 10

/**
 * Counts sorted values into ten equal bins. A bin holds its lower bound, and the last one both; where all values are the
 * same, the bins have no width and the last one holds them all.
 */
export function histogramOf(sorted: ArrayLike<number>, counts?: ArrayLike<number>): Histogram {
  const min = sorted[0]
  const max = sorted[sorted.length - 1]
  if (min === undefined || max === undefined) return { bins: [] }
  const width = (max - min) / BINS
  const filled = new Float64Array(BINS)
  for (let at = 0; at < sorted.length; at++) {
    const bin = width === 0 ? BINS - 1 : Math.min(BINS - 1, Math.floor(((sorted[at] ?? min) - min) / width))
    filled[bin] = (filled[bin] ?? 0) + (counts === undefined ? 1 : (counts[at] ?? 0))
  }
  const bound = (bin: number) => (bin === BINS ? max : min + bin * width)
  return {
    bins: Array.from(filled, (count, bin) => ({ lower_bound: bound(bin), upper_bound: bound(bin + 1), count })),
  }
}
