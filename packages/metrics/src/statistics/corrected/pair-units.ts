import { createRandom } from "../create-random.ts"
import { addSums, type LabelSums, NO_SUMS, sumsOf } from "./label-units.ts"

/** A label of a person for one of two outputs. */
export interface PairLabel {
  readonly label: number
  /** How likely the row was drawn for labelling, compared with other rows. Only ratios count. */
  readonly probability: number
}

/** A row that a judge has scored for two models. */
export interface JudgedPair {
  /** The judge's scores of A and of B. */
  readonly scores: readonly [a: number, b: number]
  /** The labels that people gave to the outputs of A and of B. */
  readonly labels: readonly [a: PairLabel | undefined, b: PairLabel | undefined]
  /** Whether A and B gave the same output, so that people see no difference. */
  readonly isSame: boolean
  /** B minus A as people see it, for a row of a kind of which all rows have labels. It is then no sample of the others. */
  readonly known?: number | undefined
  /** The number of the row's cluster. Undefined: the row is independent of the others. */
  readonly cluster: number | undefined
}

/** Rows that are drawn together: equal ones, or those of a cluster. */
export interface PairUnit {
  /** The number of independent rows in the unit; 1 for a cluster. */
  readonly shape: number
  /** For each of them: the weight of its rows, that of those whose difference is not known, and the sums of the judge's scores over the latter. */
  readonly rows: number
  readonly differing: number
  /** The sum of the differences of rows for which it is known. */
  readonly known: number
  readonly scores: readonly [a: number, b: number]
  /** For each of them: the sums over its labels. */
  readonly labels: readonly [a: LabelSums, b: LabelSums]
}

/** More different rows are put together at random: a group of rows is a cluster. */
const MAX_UNITS = 400

/** Returns the weight of a row: each cluster counts once, whatever its number of rows. */
export type PairWeight = (pair: Pick<JudgedPair, "cluster">) => number

/** Groups rows by their cluster, or if they have none, equal rows. The order of the rows does not matter. */
export function groupPairs(pairs: Iterable<JudgedPair>, weightOf: PairWeight): readonly PairUnit[] {
  const found = new Map<string, PairUnit>()
  for (const pair of pairs) {
    const key = keyOf(pair)
    const known = found.get(key)
    const isCluster = pair.cluster !== undefined
    if (known === undefined) found.set(key, unitOf(pair, weightOf(pair)))
    else found.set(key, isCluster ? joined(known, unitOf(pair, weightOf(pair))) : { ...known, shape: known.shape + 1 })
  }
  const units = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, unit]) => unit)
  return units.length <= MAX_UNITS ? units : putTogether(units)
}

/** Returns the difference of a row that needs no sample. */
export function knownDifference({ isSame, known }: Pick<JudgedPair, "isSame" | "known">): number | undefined {
  return isSame ? 0 : known
}

function keyOf(pair: JudgedPair): string {
  const { scores, labels, cluster } = pair
  if (cluster !== undefined) return `c${cluster}`
  const known = knownDifference(pair)
  if (known !== undefined) return `known ${known}`
  return [...scores, ...labels.flatMap((one) => [one?.label, one?.probability])].join(" ")
}

function unitOf(pair: JudgedPair, weight: number): PairUnit {
  const { scores, labels } = pair
  const known = knownDifference(pair)
  if (known !== undefined) {
    const none = { differing: 0, scores: [0, 0], labels: [NO_SUMS, NO_SUMS] } as const
    return { shape: 1, rows: weight, known: weight * known, ...none }
  }
  const sumsAt = (side: 0 | 1) => {
    const given = labels[side]
    return given === undefined ? NO_SUMS : sumsOf(weight / given.probability, scores[side], given.label)
  }
  const weighted = [weight * scores[0], weight * scores[1]] as const
  return { shape: 1, rows: weight, differing: weight, known: 0, scores: weighted, labels: [sumsAt(0), sumsAt(1)] }
}

function joined(a: PairUnit, b: PairUnit): PairUnit {
  return {
    shape: 1,
    rows: a.rows * a.shape + b.rows * b.shape,
    differing: a.differing * a.shape + b.differing * b.shape,
    known: a.known * a.shape + b.known * b.shape,
    scores: [a.scores[0] * a.shape + b.scores[0] * b.shape, a.scores[1] * a.shape + b.scores[1] * b.shape],
    labels: [sumOfLabels(a, b, 0), sumOfLabels(a, b, 1)],
  }
}

function sumOfLabels(a: PairUnit, b: PairUnit, side: 0 | 1): LabelSums {
  return addSums(addSums(NO_SUMS, a.labels[side], a.shape), b.labels[side], b.shape)
}

/** Puts units together until few enough are left. Equal rows without a label stay apart: they are many, and cost nothing. */
function putTogether(units: readonly PairUnit[]): readonly PairUnit[] {
  const many = units.filter(({ shape }) => shape > 1)
  const single = units.filter(({ shape }) => shape === 1)
  const kept = many.length < MAX_UNITS / 2 ? many : []
  const random = createRandom(0)
  const spread = kept.length === many.length ? single : units.flatMap(singlesOf)
  const shuffled = spread.map((unit) => ({ unit, key: random() })).toSorted((a, b) => a.key - b.key)
  const together: PairUnit[] = []
  for (const [at, { unit }] of shuffled.entries()) {
    const index = at % (MAX_UNITS - kept.length)
    const known = together[index]
    together[index] = known === undefined ? unit : joined(known, unit)
  }
  return [...kept, ...together]
}

function singlesOf(unit: PairUnit): readonly PairUnit[] {
  return Array.from({ length: unit.shape }, () => ({ ...unit, shape: 1 }))
}
