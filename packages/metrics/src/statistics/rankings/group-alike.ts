import { checkArgument, checkShare } from "../check-argument.ts"
import { meanOf } from "../exact/exact-sum.ts"
import { pairsOf, testPairs } from "../significance/pairs.ts"
import type { Steps } from "../steps.ts"
import { groupTested, type TestedPair } from "./group-tested.ts"

/** The scores of a model. Values at the same index belong to the same row in all models; NaN means that the row has no score. */
export interface ModelValues {
  readonly name: string
  readonly values: ArrayLike<number>
}

export interface GroupAlikeOptions {
  /** The probability that any two models are told apart that do not differ. Default 0.05. */
  readonly alpha?: number
  /** Whether a higher value is better. Default true. */
  readonly higherIsBetter?: boolean
  /** The row, or the group of rows, of each index, if several indexes belong together. They then count once, with their mean. */
  readonly clusters?: ArrayLike<number | string>
}

export interface GroupedModel {
  readonly name: string
  /** NaN without a score. */
  readonly mean: number
  /** The letters of its groups, such as `a` or `ab`. Two models that share a letter do not differ. `a` is the group of the best. */
  readonly group: string
}

export interface GroupedModels {
  /** The best first. */
  readonly models: readonly GroupedModel[]
  readonly pairs: readonly TestedPair[]
}

/** One for each letter. */
const MAX_GROUPED = 26

/**
 * Groups the models that paired tests do not tell apart. Each two models are compared over the rows that both have: McNemar's exact
 * test for scores of zeros and ones, else the sign permutation test. Holm's procedure keeps the probability of any false difference
 * at most `alpha`. In the order of their means, a group is a longest run of models of which no two differ; a model can be in several groups.
 * So two models that share a letter are never told apart.
 *
 * One step for each two models. Source of the tests: {@link comparePaired}; of the runs as letters: Piepho, Journal of Computational and Graphical
 * Statistics 13 (2004), 456–466, limited to runs. Throws `invalid_request` for more than 26 models, and for lists of different lengths.
 */
export function* groupAlike(
  models: readonly ModelValues[],
  { alpha = 0.05, higherIsBetter = true, clusters }: GroupAlikeOptions = {},
): Steps<GroupedModels> {
  checkShare("alpha", alpha)
  checkArgument(models.length <= MAX_GROUPED, "models", models.length, `at most ${MAX_GROUPED} models`)
  const ranked = models
    .map((model) => ({ ...model, mean: meanOf(Float64Array.from(model.values).filter(Number.isFinite)) }))
    .toSorted((one, other) => compareMeans(one.mean, other.mean, higherIsBetter))
  const compared = ranked.flatMap((_one, a) => ranked.slice(a + 1).map((_other, offset) => ({ a, b: a + 1 + offset })))
  // Random signs must be able to show a probability below the strictest level.
  const resamples = Math.max(10_000, Math.ceil((2 * compared.length) / alpha))
  const found = new Map<string, number | null>()
  for (const { a, b } of compared) {
    const pairs = pairsOf(ranked[a]?.values ?? [], ranked[b]?.values ?? [], clusters)
    found.set(`${a} ${b}`, pairs.a.length === 0 ? null : testPairs(pairs, { resamples }).p)
    yield
  }
  const { letters, pairs } = groupTested(ranked, (a, b) => found.get(`${a} ${b}`) ?? null, { alpha })
  return { models: ranked.map(({ name, mean }, at) => ({ name, mean, group: letters[at] ?? "" })), pairs }
}

/** A model without scores is the last. */
function compareMeans(one: number, other: number, higherIsBetter: boolean): number {
  if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other))
  return higherIsBetter ? other - one : one - other
}
