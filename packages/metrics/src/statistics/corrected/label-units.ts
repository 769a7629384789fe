import { createRandom } from "../create-random.ts"

export interface JudgedCluster {
  readonly rows: number
  /** The sum of the judge's scores. */
  readonly scores: number
}

/** All rows that the judge has scored, those with a label included. */
export interface JudgedPopulation {
  readonly rows: number
  /** The mean of the judge's scores. */
  readonly mean: number
  /** The lowest and the highest of the judge's scores. Default: those of the range. */
  readonly scores?: readonly [low: number, high: number]
  /** By number: rows that are not independent, such as questions about one document. Default: each row is independent. */
  readonly clusters?: ReadonlyMap<number, JudgedCluster>
}

/** A row that a judge has scored and a person has labelled. */
export interface LabelledScore {
  /** The score of the judge. */
  readonly score: number
  /** The label of a person, on the same scale. */
  readonly label: number
  /**
   * How likely the row was drawn for labelling, compared with other rows of the population. Only ratios count. Default 1: each row was
   * as likely as any other.
   */
  readonly probability?: number
  /** How many equal rows the label is for. Default 1. */
  readonly times?: number
  /** The number of the row's cluster, if the population has clusters. */
  readonly cluster?: number
}

/** Weighted sums over labels: of 1, the score, the label, the score's square, and score times label. */
export type LabelSums = readonly [weight: number, score: number, label: number, squares: number, together: number]

/** Labels that are drawn together: equal ones, or those of a cluster. */
export interface LabelUnit {
  /** The number of independent labels in the unit; 1 for a cluster. */
  readonly shape: number
  /** For each of them. */
  readonly sums: LabelSums
  /** The rows of the cluster, and the sum of the judge's scores over them. 0 if rows are not clustered. */
  readonly rows: number
  readonly scores: number
}

export const NO_SUMS: LabelSums = [0, 0, 0, 0, 0]
/** More different pairs of score and label are rounded to a grid of such pairs. */
const MAX_UNITS = 200
const GRID = 14
/** More clusters are put together at random: a group of clusters is a larger cluster. */
const MAX_CLUSTERS = 300

export function addSums(a: LabelSums, b: LabelSums, times = 1): LabelSums {
  return [a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2], a[3] + times * b[3], a[4] + times * b[4]]
}

/** Returns the sums of one label. */
export function sumsOf(weight: number, score: number, label: number): LabelSums {
  return [weight, weight * score, weight * label, weight * score * score, weight * score * label]
}

/** Groups equal labels, so that a draw takes as long as there are different ones. The order of the labels does not matter. */
export function groupLabels(labelled: readonly LabelledScore[], weights: readonly number[]): readonly LabelUnit[] {
  const exact = group(labelled, weights)
  if (exact !== undefined) return exact
  const scoreOf = gridOf(labelled.map(({ score }) => score))
  const labelOf = gridOf(labelled.map(({ label }) => label))
  return group(labelled, weights, (value, field) => (field === "score" ? scoreOf(value) : labelOf(value))) ?? []
}

/**
 * @param rounded returns the position of a value on a grid. Undefined: values have to be equal
 * @returns undefined if too many values differ
 */
function group(
  labelled: readonly LabelledScore[],
  weights: readonly number[],
  rounded?: (value: number, field: "score" | "label") => number,
): readonly LabelUnit[] | undefined {
  const found = new Map<string, { count: number; sums: LabelSums }>()
  for (const [at, { score, label }] of labelled.entries()) {
    const weight = weights[at] ?? 1
    const pair = rounded === undefined ? [score, label, weight] : [rounded(score, "score"), rounded(label, "label")]
    const key = pair.join(" ")
    const known = found.get(key) ?? { count: 0, sums: NO_SUMS }
    if (rounded === undefined && known.count === 0 && found.size === MAX_UNITS) return undefined
    found.set(key, { count: known.count + 1, sums: addSums(known.sums, sumsOf(weight, score, label)) })
  }
  const units = [...found.values()].map(({ count, sums }) => {
    return { shape: count, sums: addSums(NO_SUMS, sums, 1 / count), rows: 0, scores: 0 }
  })
  return units.toSorted(compareUnits)
}

function gridOf(values: readonly number[]): (value: number) => number {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity)
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity)
  return (value) => (high > low ? Math.round(((value - low) / (high - low)) * (GRID - 1)) : 0)
}

/** Groups labels by cluster. Clusters without a label count too: the judge has scored them. */
export function clusterLabels(
  labelled: readonly LabelledScore[],
  weights: readonly number[],
  clusters: NonNullable<JudgedPopulation["clusters"]>,
): readonly LabelUnit[] {
  const sums = new Map<number, LabelSums>()
  for (const [at, { cluster = Number.NaN, score, label }] of labelled.entries()) {
    sums.set(cluster, addSums(sums.get(cluster) ?? NO_SUMS, sumsOf(weights[at] ?? 1, score, label)))
  }
  const units = [...clusters]
    .map(([cluster, { rows, scores }]) => ({ shape: 1, sums: sums.get(cluster) ?? NO_SUMS, rows, scores }))
    .toSorted(compareUnits)
  return units.length <= MAX_CLUSTERS ? units : putTogether(units)
}

function putTogether(units: readonly LabelUnit[]): readonly LabelUnit[] {
  const random = createRandom(0)
  const shuffled = units.map((unit) => ({ unit, key: random() })).toSorted((a, b) => a.key - b.key)
  const together: LabelUnit[] = []
  for (const [at, { unit }] of shuffled.entries()) {
    const known = together[at % MAX_CLUSTERS]
    if (known === undefined) {
      together.push(unit)
      continue
    }
    together[at % MAX_CLUSTERS] = {
      shape: 1,
      sums: addSums(known.sums, unit.sums),
      rows: known.rows + unit.rows,
      scores: known.scores + unit.scores,
    }
  }
  return together
}

function compareUnits(a: LabelUnit, b: LabelUnit): number {
  const first = numbersOf(a)
  const second = numbersOf(b)
  for (const [at, number] of first.entries()) {
    const other = second[at] ?? 0
    if (number !== other) return number - other
  }
  return 0
}

function numbersOf({ shape, sums, rows, scores }: LabelUnit): readonly number[] {
  return [...sums, shape, rows, scores]
}
