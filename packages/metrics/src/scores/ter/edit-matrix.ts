/** A cell that no path reaches. */
const UNREACHED = 2 ** 29
const BEAM_WIDTH = 25
/** How many cells are computed between two pauses: a few milliseconds. */
const CELLS_PER_TURN = 500_000

/** Yields every few milliseconds of work. */
export type Steps<T> = Generator<undefined, T>

/** A copy of some words to another position. The words from `from` on are replaced by `words`. */
export interface MovedWords {
  readonly from: number
  readonly words: Int32Array
}

/** Where edits are, if the expected words are rewritten to the own words. */
export interface Alignment {
  /** For each expected word: the own word at its position, or the last one before it; -1 for none. */
  readonly own: Int32Array
  /** How many of the own words before each position are edited. */
  readonly ownErrors: Int32Array
  /** How many of the expected words before each position are edited. */
  readonly expectedErrors: Int32Array
}

/**
 * The edit distances from all beginnings of own words to beginnings of expected words. Only cells near the diagonal are computed, as in
 * sacreBLEU, which takes time linear in the number of words.
 */
export interface EditMatrix {
  /** Computes all rows for the words. */
  fill(words: Int32Array): Steps<number>
  /** Computes the distance if some of the words were others. The matrix does not change. */
  distanceAfter(moved: MovedWords): Steps<number>
  align(): Alignment
}

/** Creates a matrix for own words of one length. The expected words must not be empty. */
export function createEditMatrix(expected: Int32Array, length: number): EditMatrix {
  const { starts, ends, offsets } = rowsOf(expected.length, length)
  const costs = new Int32Array(offsets[length + 1] ?? 0)
  for (let column = 0; column <= expected.length; column += 1) costs[column] = column
  let scratch: readonly [Int32Array, Int32Array] | undefined
  let own: Int32Array = new Int32Array()
  let computed = 0

  /** Computes the cells of a row from those of the row before it. Returns whether it is time to pause. */
  const fillRow = (row: number, word: number, [before, beforeAt, cells, at]: RowMemory): boolean => {
    const start = starts[row] ?? 0
    const end = ends[row] ?? 0
    const lastStart = starts[row - 1] ?? 0
    const lastEnd = ends[row - 1] ?? 0
    let left = UNREACHED
    for (let column = start; column < end; column += 1) {
      const above = column < lastEnd ? (before[beforeAt + column - lastStart] ?? 0) + 1 : UNREACHED
      let cost = above
      if (column > 0) {
        const diagonal =
          column > lastStart && column <= lastEnd ? (before[beforeAt + column - 1 - lastStart] ?? 0) : UNREACHED
        cost = Math.min(diagonal + (expected[column - 1] === word ? 0 : 1), above, left + 1, UNREACHED)
      }
      cells[at + column - start] = cost
      left = cost
    }
    computed += end - start
    if (computed < CELLS_PER_TURN) return false
    computed = 0
    return true
  }

  return {
    *fill(words) {
      own = words
      for (let row = 1; row <= length; row += 1) {
        if (fillRow(row, own[row - 1] ?? 0, [costs, offsets[row - 1] ?? 0, costs, offsets[row] ?? 0])) yield
      }
      return costs.at(-1) ?? 0
    },
    *distanceAfter({ from, words }) {
      const distance = costs.at(-1) ?? 0
      const skipped = countEqual(words, own, from)
      if (skipped === words.length) return distance
      scratch ??= [new Int32Array(widest(starts, ends)), new Int32Array(widest(starts, ends))]
      let [before, cells] = scratch
      const first = from + skipped + 1
      const last = from + words.length
      for (let row = first; row <= length; row += 1) {
        const word = row <= last ? (words[row - 1 - from] ?? 0) : (own[row - 1] ?? 0)
        const memory: RowMemory = row === first ? [costs, offsets[row - 1] ?? 0, cells, 0] : [before, 0, cells, 0]
        if (fillRow(row, word, memory)) yield
        // Equal words follow. If all cells differ by the same number, all later ones do too.
        const change = row < last ? undefined : sameChange(cells, costs.subarray(offsets[row], offsets[row + 1]))
        if (change !== undefined) return distance + change
        ;[before, cells] = [cells, before]
      }
      return before[expected.length - (starts[length] ?? 0)] ?? 0
    },
    align: () => align({ costs, starts, ends, offsets }, { own, expected }),
  }
}

/** Returns the number of first words that are equal to those from `from` on. */
function countEqual(words: Int32Array, own: Int32Array, from: number): number {
  let equal = 0
  while (equal < words.length && words[equal] === own[from + equal]) equal += 1
  return equal
}

/** The cells of a row and where they begin, then those to compute and where they begin. */
type RowMemory = readonly [before: Int32Array, beforeAt: number, cells: Int32Array, at: number]

interface Rows {
  /** The first column of each row. */
  readonly starts: Int32Array
  /** The column after the last one of each row. */
  readonly ends: Int32Array
  /** The index of the first cell of each row. */
  readonly offsets: Int32Array
}

/** Chooses the columns of each row: those around the diagonal, and up to the last one in the first and the last row. */
function rowsOf(columns: number, length: number): Rows {
  const ratio = length === 0 ? 1 : columns / length
  const beam = BEAM_WIDTH < ratio / 2 ? Math.ceil(ratio / 2 + BEAM_WIDTH) : BEAM_WIDTH
  const starts = new Int32Array(length + 1)
  const ends = new Int32Array(length + 1)
  const offsets = new Int32Array(length + 2)
  ends[0] = columns + 1
  offsets[1] = columns + 1
  for (let row = 1; row <= length; row += 1) {
    const diagonal = Math.floor(row * ratio)
    starts[row] = Math.max(0, diagonal - beam)
    ends[row] = row === length ? columns + 1 : Math.min(columns + 1, diagonal + beam)
    offsets[row + 1] = (offsets[row] ?? 0) + (ends[row] ?? 0) - (starts[row] ?? 0)
  }
  return { starts, ends, offsets }
}

function widest(starts: Int32Array, ends: Int32Array): number {
  return ends.reduce((most, end, row) => Math.max(most, end - (starts[row] ?? 0)), 0)
}

/** Returns by how much all cells of a row differ, if it is the same for all. */
function sameChange(cells: Int32Array, known: Int32Array): number | undefined {
  const change = (cells[0] ?? 0) - (known[0] ?? 0)
  for (let index = 1; index < known.length; index += 1) {
    if ((cells[index] ?? 0) - (known[index] ?? 0) !== change) return undefined
  }
  return change
}

/** Follows the cheapest path back. Of several, it prefers substitutions, then deletions of own words. */
function align(
  { costs, starts, ends, offsets }: Rows & { readonly costs: Int32Array },
  { own, expected }: { readonly own: Int32Array; readonly expected: Int32Array },
): Alignment {
  const cell = (row: number, column: number): number =>
    column < (starts[row] ?? 0) || column >= (ends[row] ?? 0)
      ? UNREACHED
      : (costs[(offsets[row] ?? 0) + column - (starts[row] ?? 0)] ?? 0)
  const aligned = new Int32Array(expected.length)
  const ownErrors = new Int32Array(own.length + 1)
  const expectedErrors = new Int32Array(expected.length + 1)
  let row = own.length
  let column = expected.length
  while (row > 0 || column > 0) {
    const cost = cell(row, column)
    const isOther = own[row - 1] === expected[column - 1] ? 0 : 1
    if (row > 0 && column > 0 && cell(row - 1, column - 1) + isOther === cost) {
      aligned[column - 1] = row - 1
      ownErrors[row] = isOther
      expectedErrors[column] = isOther
      row -= 1
      column -= 1
    } else if (row > 0 && cell(row - 1, column) + 1 === cost) {
      ownErrors[row] = 1
      row -= 1
    } else {
      aligned[column - 1] = row - 1
      expectedErrors[column] = 1
      column -= 1
    }
  }
  for (let index = 1; index < ownErrors.length; index += 1)
    ownErrors[index] = (ownErrors[index] ?? 0) + (ownErrors[index - 1] ?? 0)
  for (let index = 1; index < expectedErrors.length; index += 1)
    expectedErrors[index] = (expectedErrors[index] ?? 0) + (expectedErrors[index - 1] ?? 0)
  return { own: aligned, ownErrors, expectedErrors }
}
