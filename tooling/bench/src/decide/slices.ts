import { compareSlices, markSlices, worstSlice } from "@assay/metrics"
import { atLeast, formatCount, type Measurement, type Row } from "../bench.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { seededRandom, type Draw } from "./seeded-random.ts"

const ROWS = 600
const SLICES = 12
const SETS = 3000
const ALPHA = 0.05
/** Three standard errors of a share of alpha in all sets: a test that is wrong in exactly alpha of them differs by no more. */
const NOISE = 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / SETS)

/** Draws the score of a row whose slice has this mean. */
type Score = (mean: number, draw: Draw) => number

const rate: Score = (mean, draw) => Number(draw() < mean)
/** Most rows have a score between 0 and twice the mean, a few have none. */
const graded: Score = (mean, draw) => (draw() < 0.9 ? (2 * mean * draw()) / 0.9 : 0)

/** Most values are near the upper end of the scale. */
const nearEnd: Score = (_mean, draw) => (draw() < 0.9 ? 0.95 + 0.05 * draw() : draw())
/** A few values are many times as large as the others. */
const longTail: Score = (_mean, draw) => Math.exp(2 * (draw() + draw() + draw() + draw() + draw() + draw() - 3))
const grades: Score = (_mean, draw) => 5 - Math.floor(5 * draw() ** 3)

interface Seen {
  readonly isMarked: boolean
  readonly worst: string | null
}

/** Draws scores in slices of which the first is the largest and the last has about 25 rows, and compares them. */
function drawSet(score: Score, meanOf: (slice: number) => number, draw: Draw): Seen {
  const slices = Array.from({ length: ROWS }, () => Math.floor(draw() ** 2 * SLICES))
  const values = slices.map((slice) => score(meanOf(slice), draw))
  const compared = compareSlices({ values, slices }, SLICES)
  const marks = markSlices(compared.map(({ difference }) => difference?.p ?? null))
  const named = compared.map(({ count, mean, interval, difference }, slice) => {
    const ofSlice = { kind: "value", value: mean, interval, scored: count, unreadable: 0, errored: 0 } as const
    const { pAdjusted = null, isMarked = false } = marks[slice] ?? {}
    const tested = difference && { ...difference, p_adjusted: pAdjusted, is_marked: isMarked }
    return { name: String(slice), ...ofSlice, difference: tested }
  })
  const isMarked = named.some(({ difference }) => difference?.is_marked)
  return { isMarked, worst: worstSlice(named, true) }
}

function equalSlices(kind: string, score: Score, seed: number): readonly Measurement[] {
  const draw = seededRandom(seed)
  const seen = { marked: 0, named: 0 }
  for (let set = 0; set < SETS; set++) {
    const { isMarked, worst } = drawSet(score, () => 0.5, draw)
    if (isMarked) seen.marked++
    if (worst !== null) seen.named++
  }
  return [
    byChance(
      { work: `slices of ${kind}, marks`, does: `no slice differs, ${kind}: how often any has a mark` },
      seen.marked,
    ),
    byChance(
      { work: `slices of ${kind}, worst`, does: `no slice differs, ${kind}: how often one is named the worst` },
      seen.named,
    ),
  ]
}

/** Counts marks among slices of equal size. */
function fewRows(kind: string, score: Score, rows: number): readonly Measurement[] {
  const draw = seededRandom(64 + rows)
  let marked = 0
  for (let set = 0; set < SETS; set++) {
    const values = Array.from({ length: SLICES * rows }, () => score(0.5, draw))
    const tests = compareSlices({ values, slices: values.map((_, at) => at % SLICES) }, SLICES)
    if (markSlices(tests.map(({ difference }) => difference?.p ?? null)).some(({ isMarked }) => isMarked)) marked++
  }
  const name = `${SLICES} slices of ${rows} ${kind}`
  return [byChance({ work: name, does: `no slice differs, ${name}: how often any has a mark` }, marked)]
}

function worseSlice(): readonly Measurement[] {
  const draw = seededRandom(63)
  const seen = { found: 0, other: 0 }
  for (let set = 0; set < SETS; set++) {
    const { worst } = drawSet(rate, (slice) => (slice === 0 ? 0.6 : 0.8), draw)
    if (worst === "0") seen.found++
    else if (worst !== null) seen.other++
  }
  const does = "the largest slice is 20 points worse than the others: how often "
  return [
    atLeast(
      { work: "worse slice, named", does: `${does}it is named` },
      seen.found / SETS,
      0.95,
      `${formatCount(SETS)} sets`,
    ),
    byChance({ work: "worse slice, another named", does: `${does}another one is named` }, seen.other),
  ]
}

/** Returns the measurement of what may happen by chance in at most alpha of all sets. */
function byChance(row: Row, count: number): Measurement {
  const share = count / SETS
  const bar = `≤ ${ALPHA} (within ${NOISE.toFixed(3)} by chance)`
  return { ...row, value: `${share.toFixed(4)} (${formatCount(SETS)} sets)`, bar, passed: share <= ALPHA + NOISE }
}

export const slices: GuaranteeSection = {
  title: "Slices",
  method: `Means of ${SLICES} slices of ${ROWS} rows in all, each compared with the rest ([slices.md](../guides/slices.md)). The smallest slice has about 25 rows.`,
  simulate: async () => [
    ...equalSlices("scores of 0 and 1", rate, 61),
    ...equalSlices("other scores", graded, 62),
    ...fewRows("values near the end of the scale", nearEnd, 20),
    ...fewRows("values with a long tail", longTail, 6),
    ...fewRows("grades from 1 to 5", grades, 20),
    ...worseSlice(),
  ],
}
