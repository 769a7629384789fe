/** The number of values from `lower_bound` to before `upper_bound`. */
export interface NumberBin {
  readonly lower_bound: number
  readonly upper_bound: number
  readonly count: number
}

/** Counts numbers in intervals of one width. Memory is bounded, whatever the numbers are. */
export interface NumberHistogram {
  readonly add: (value: number) => void
  /** Returns the intervals from the smallest number to the largest; none if all numbers are equal. */
  readonly bins: () => readonly NumberBin[]
}

/** The width is known only after some values. Before, they are kept. */
const FIRST_VALUES = 400
const MAX_FINE_BINS = 400
const MAX_BINS = 24
/** Widths that people read easily: these, times a power of ten. */
const FACTORS = [1, 2, 5]

/**
 * Creates a histogram whose width follows the range. Numbers are counted in at most 400 fine bins of a width that is a power of ten. If
 * the range grows, ten bins become one. The limits of the bins are decimals, so that a filter with a limit finds the numbers of its bin.
 */
export function createNumberHistogram(): NumberHistogram {
  let first: number[] | undefined = []
  const counts = new Map<number, number>()
  const range = { min: Infinity, max: -Infinity }
  /** The width of a fine bin is 10 to this power. */
  let power = 0

  function count(value: number, by = 1): void {
    const bin = binOf(value, power)
    counts.set(bin, (counts.get(bin) ?? 0) + by)
  }

  function widen(): void {
    const coarse = powerOf(range.max - range.min)
    if (coarse <= power) return
    const divisor = 10 ** (coarse - power)
    const before = [...counts]
    counts.clear()
    power = coarse
    for (const [bin, some] of before) {
      const wide = Math.floor(bin / divisor)
      counts.set(wide, (counts.get(wide) ?? 0) + some)
    }
  }

  function start(): void {
    power = powerOf(range.max - range.min)
    for (const value of first ?? []) count(value)
    first = undefined
  }

  return {
    add(value) {
      if (!Number.isFinite(value)) return
      const isWider = value < range.min || value > range.max
      range.min = Math.min(range.min, value)
      range.max = Math.max(range.max, value)
      if (first === undefined) {
        if (isWider) widen()
        count(value)
      } else if (first.push(value) === FIRST_VALUES) start()
    },
    bins() {
      if (!(range.max > range.min)) return []
      if (first !== undefined) start()
      return grouped(counts, power)
    },
  }
}

/** Returns the power of ten with which a range has at most 400 bins. */
function powerOf(range: number): number {
  return range > 0 ? Math.ceil(Math.log10(range / (MAX_FINE_BINS - 1))) : -Infinity
}

/** Returns a limit between bins: `bin` times 10 to the `power`, as the nearest number to that decimal. */
function limitOf(bin: number, power: number): number {
  return power < 0 ? bin / 10 ** -power : bin * 10 ** power
}

function binOf(value: number, power: number): number {
  const bin = Math.floor(power < 0 ? value * 10 ** -power : value / 10 ** power)
  if (limitOf(bin + 1, power) <= value) return bin + 1
  return limitOf(bin, power) > value ? bin - 1 : bin
}

/** Joins fine bins to at most 24 bins of a width that is easy to read. Bins between others can be empty. */
function grouped(counts: ReadonlyMap<number, number>, power: number): readonly NumberBin[] {
  const fine = [...counts.keys()]
  const low = Math.min(...fine)
  const high = Math.max(...fine)
  const size = widths().find((width) => Math.floor(high / width) - Math.floor(low / width) < MAX_BINS) ?? 1
  const start = Math.floor(low / size)
  const found = Array.from({ length: Math.floor(high / size) - start + 1 }, () => 0)
  for (const [bin, some] of counts) {
    const index = Math.floor(bin / size) - start
    found[index] = (found[index] ?? 0) + some
  }
  return found.map((count, index) => ({
    lower_bound: limitOf((start + index) * size, power),
    upper_bound: limitOf((start + index + 1) * size, power),
    count,
  }))
}

function widths(): readonly number[] {
  return [1, 10, 100, 1000].flatMap((ten) => FACTORS.map((factor) => factor * ten))
}
