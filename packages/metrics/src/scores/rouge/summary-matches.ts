/** Cells of tables that take a few milliseconds. */
const CELLS_PER_STEP = 2_000_000

/**
 * Counts the tokens that the lines of a candidate share with those of its reference, for ROUGE-Lsum: for each line of the reference, the
 * union of its longest common subsequences with all lines of the candidate. A token counts at most as often as each text has it.
 * Works in steps of a few milliseconds. Memory: one bit for each pair of tokens of two lines.
 * Source: Lin, 2004, section 3.2, as rouge-score computes it; of several longest subsequences, the one that it finds.
 */
export function* summaryMatchSteps(
  expected: readonly (readonly string[])[],
  own: readonly (readonly string[])[],
): Generator<void, number, undefined> {
  const numbers = new Map<string, number>()
  const numberLines = (lines: readonly (readonly string[])[]) =>
    lines.map((line) => Int32Array.from(line, (token) => numberOf(numbers, token)))
  const [references, candidates] = [numberLines(expected), numberLines(own)]
  const left = { expected: countOf(references, numbers.size), own: countOf(candidates, numbers.size) }
  const progress = { cells: 0 }
  let matches = 0
  for (const reference of references) {
    const isCommon = new Uint8Array(reference.length)
    for (const candidate of candidates) yield* markCommon(reference, candidate, isCommon, progress)
    for (const [at, token] of reference.entries()) {
      if (isCommon[at] === 0 || left.expected[token] === 0 || left.own[token] === 0) continue
      matches += 1
      left.expected[token] = (left.expected[token] ?? 0) - 1
      left.own[token] = (left.own[token] ?? 0) - 1
    }
  }
  return matches
}

function numberOf(numbers: Map<string, number>, token: string): number {
  const known = numbers.get(token)
  if (known !== undefined) return known
  numbers.set(token, numbers.size)
  return numbers.size - 1
}

function countOf(lines: readonly Int32Array[], size: number): Int32Array {
  const counts = new Int32Array(size)
  for (const line of lines) for (const token of line) counts[token] = (counts[token] ?? 0) + 1
  return counts
}

/** Marks the tokens of `reference` that are in its longest common subsequence with `candidate`. */
function* markCommon(
  reference: Int32Array,
  candidate: Int32Array,
  isCommon: Uint8Array,
  progress: { cells: number },
): Generator<void, void, undefined> {
  const width = candidate.length
  /** A bit for each cell: whether the cell before it in its row has a longer subsequence than the one above it. */
  const isLonger = new Uint8Array(Math.ceil((reference.length * width) / 8))
  let above = new Int32Array(width + 1)
  let row = new Int32Array(width + 1)
  for (const [line, token] of reference.entries()) {
    let before = 0
    for (let at = 0; at < width; at++) {
      const over = above[at + 1] ?? 0
      if (candidate[at] === token) before = (above[at] ?? 0) + 1
      else if (before > over) setBit(isLonger, line * width + at)
      else before = over
      row[at + 1] = before
    }
    ;[above, row] = [row, above]
    progress.cells += width
    if (progress.cells < CELLS_PER_STEP) continue
    progress.cells = 0
    yield
  }
  let line = reference.length - 1
  let at = width - 1
  while (line >= 0 && at >= 0) {
    if (reference[line] === candidate[at]) {
      isCommon[line] = 1
      line -= 1
      at -= 1
    } else if (hasBit(isLonger, line * width + at)) at -= 1
    else line -= 1
  }
}

function setBit(bits: Uint8Array, at: number): void {
  const byte = at >>> 3
  bits[byte] = (bits[byte] ?? 0) | (1 << (at & 7))
}

function hasBit(bits: Uint8Array, at: number): boolean {
  return ((bits[at >>> 3] ?? 0) & (1 << (at & 7))) !== 0
}
