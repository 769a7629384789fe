import { createEditMatrix, type Alignment, type EditMatrix, type MovedWords, type Steps } from "./edit-matrix.ts"

/** The limits of Tercom. */
const MAX_SHIFT_SIZE = 10
const MAX_SHIFT_DISTANCE = 50
/** sacreBLEU tries no more shifts for a pair of texts. Shifts that were being compared at this limit are not made. */
const MAX_SHIFTS_TRIED = 1000
/** How many pairs of words are compared between two pauses. */
const PAIRS_PER_TURN = 200_000

/**
 * Counts the edits from the own to the expected words: insertions, deletions, substitutions, and shifts of up to 10 words. The shift
 * that saves most is made again and again until none saves an edit, as sacreBLEU does.
 * Source: Snover et al., 2006, "A Study of Translation Edit Rate with Targeted Human Annotation".
 */
export function* translationEdits(own: readonly string[], expected: readonly string[]): Steps<number> {
  if (expected.length === 0) return own.length
  const ids = new Map<string, number>()
  const numbered = (words: readonly string[]): Int32Array =>
    Int32Array.from(words, (word) => {
      const id = ids.get(word) ?? ids.size
      ids.set(word, id)
      return id
    })
  const texts = { own: numbered(own), expected: numbered(expected) }
  const matrix = createEditMatrix(texts.expected, own.length)
  let shifts = 0
  let tried = 0
  for (;;) {
    const distance = yield* matrix.fill(texts.own)
    const found = yield* bestShift(texts, matrix, { distance, tried })
    tried = found.tried
    if (tried >= MAX_SHIFTS_TRIED || found.saved <= 0 || found.best === undefined) return shifts + distance
    shifts += 1
    texts.own = texts.own.slice()
    texts.own.set(found.best.words, found.best.from)
  }
}

interface NumberedTexts {
  own: Int32Array
  readonly expected: Int32Array
}

interface FoundShift {
  readonly best: MovedWords | undefined
  /** How many edits it saves. */
  readonly saved: number
  /** The number of shifts tried for this pair of texts so far. */
  readonly tried: number
}

/** Finds the shift that saves most edits. Of several, it is the longest, then the earliest, then that to the earliest position. */
function* bestShift(
  { own, expected }: NumberedTexts,
  matrix: EditMatrix,
  { distance, tried: triedBefore }: { readonly distance: number; readonly tried: number },
): Steps<FoundShift> {
  const alignment = matrix.align()
  let best: MovedWords | undefined
  let bestRank: readonly number[] = []
  let tried = triedBefore
  for (const pair of commonRuns(own, expected, alignment)) {
    if (pair === undefined) {
      yield
      continue
    }
    for (const target of targetsOf(pair, alignment.own)) {
      const moved = shiftWords(own, pair, target)
      const saved = distance - (yield* matrix.distanceAfter(moved))
      tried += 1
      const rank = [saved, pair.length, -pair.start, -target]
      if (best === undefined || isGreater(rank, bestRank)) [best, bestRank] = [moved, rank]
    }
    if (tried >= MAX_SHIFTS_TRIED) break
  }
  return { best, saved: bestRank[0] ?? 0, tried }
}

/** Words that are in both texts. */
interface CommonRun {
  /** Where they begin in the own words. */
  readonly start: number
  /** Where they begin in the expected words. */
  readonly position: number
  readonly length: number
}

/** Yields common runs that are wrong where they are and missing where they belong; undefined every few milliseconds of search. */
function* commonRuns(own: Int32Array, expected: Int32Array, alignment: Alignment): Generator<CommonRun | undefined> {
  const { ownErrors, expectedErrors, own: aligned } = alignment
  let compared = 0
  for (let start = 0; start < own.length; start += 1) {
    const reach = Math.min(start + MAX_SHIFT_SIZE, own.length)
    if (ownErrors[reach] === ownErrors[start]) continue
    const last = Math.min(expected.length - 1, start + MAX_SHIFT_DISTANCE)
    for (let position = Math.max(0, start - MAX_SHIFT_DISTANCE); position <= last; position += 1) {
      const longest = Math.min(reach - start, expected.length - position)
      const at = aligned[position] ?? 0
      let length = 0
      while (length < longest && own[start + length] === expected[position + length]) {
        length += 1
        const isWrong = (ownErrors[start + length] ?? 0) > (ownErrors[start] ?? 0)
        const isMissing = (expectedErrors[position + length] ?? 0) > (expectedErrors[position] ?? 0)
        if (isWrong && isMissing && !(start <= at && at < start + length)) yield { start, position, length }
      }
      compared += length + 1
    }
    if (compared < PAIRS_PER_TURN) continue
    compared = 0
    yield undefined
  }
}

/** Returns the different positions to shift to: before the own word that each expected word of the run, and the one before it, is aligned with. */
function targetsOf({ position, length }: CommonRun, aligned: Int32Array): readonly number[] {
  const targets: number[] = []
  for (let expected = position - 1; expected < position + length; expected += 1) {
    const target = expected < 0 ? 0 : (aligned[expected] ?? 0) + 1
    if (target !== targets.at(-1)) targets.push(target)
  }
  return targets
}

/** Returns the words between the old and the new position of a run after its shift. */
function shiftWords(own: Int32Array, { start, length }: CommonRun, target: number): MovedWords {
  const end = start + length
  if (target < start) return joined(target, own.subarray(start, end), own.subarray(target, start))
  // Within the run itself, sacreBLEU counts the target from the end of the run.
  const until = target > end ? target : length + target
  return joined(start, own.subarray(end, until), own.subarray(start, end))
}

function joined(from: number, first: Int32Array, second: Int32Array): MovedWords {
  const words = new Int32Array(first.length + second.length)
  words.set(first)
  words.set(second, first.length)
  return { from, words }
}

/** Returns whether the first number that differs is greater. */
function isGreater(rank: readonly number[], other: readonly number[]): boolean {
  const index = rank.findIndex((value, at) => value !== other[at])
  return index >= 0 && (rank[index] ?? 0) > (other[index] ?? 0)
}
