import { meanDifference } from "@assay/metrics"
import type { JudgeReport, LabelReport } from "@assay/schemas"
import { modelFamily } from "./model-family.ts"

type Estimate = NonNullable<JudgeReport["difference"]>

/** A score of one job whose judge is examined. */
export interface JudgedScore {
  /** The job as the user wrote it. */
  readonly job: string
  /** The model that answered. Null: it is not known. */
  readonly target: string | null
  readonly name: string
  readonly mean: number
  readonly interval: Estimate["interval"]
  readonly judge: JudgeReport
  readonly corrected: LabelReport["corrected"]
}

/** How much better a judge treats models of its own family. */
export interface SelfPreference {
  readonly name: string
  readonly judge: string
  readonly family: string
  readonly own: readonly string[]
  readonly others: readonly string[]
  /** The judge minus people, for models of its own family minus others: above 0 if it prefers its own. */
  readonly difference: number
  readonly interval: Estimate["interval"]
}

/** Measures self-preference for each score and judge with labels about models of its own family and about others. */
export function selfPreferences(scores: readonly JudgedScore[]): readonly SelfPreference[] {
  const groups = Map.groupBy(scores, ({ name, judge }) => JSON.stringify([name, judge.model]))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const model = first?.judge.model ?? null
    if (first === undefined || model === null) return []
    const family = modelFamily(model)
    const known = group.flatMap(({ target, judge: { difference } }) =>
      target === null || difference?.interval == null ? [] : [{ target, ...difference }],
    )
    const [own, others] = [true, false].map((isOwn) =>
      known.filter(({ target }) => (modelFamily(target) === family) === isOwn),
    )
    if (own === undefined || others === undefined || own.length === 0 || others.length === 0) return []
    const { difference, interval } = meanDifference(averageOf(own), averageOf(others))
    const namesOf = (some: typeof known) => some.map(({ target }) => target)
    return [
      { name: first.name, judge: model, family, own: namesOf(own), others: namesOf(others), difference, interval },
    ]
  })
}

/** Returns the average of independent means, with the interval that theirs give (Zou and Donner 2008). */
function averageOf(all: readonly Estimate[]): Parameters<typeof meanDifference>[0] {
  const mean = all.reduce((sum, one) => sum + one.mean, 0) / all.length
  const reach = (of: (one: Estimate) => number) =>
    Math.sqrt(all.reduce((sum, one) => sum + of(one) ** 2, 0)) / all.length
  const low = mean - reach((one) => one.mean - (one.interval?.low ?? one.mean))
  const high = mean + reach((one) => (one.interval?.high ?? one.mean) - one.mean)
  return { mean, interval: { low, high, confidence: all[0]?.interval?.confidence ?? 0.95 } }
}

/** Which of two jobs is better, by the judge and by the means that labels correct. */
export interface JudgedComparison {
  readonly name: string
  readonly jobs: readonly [before: string, after: string]
  readonly judge: Compared
  readonly corrected: Compared
}

interface Compared {
  /** The later job minus the first. */
  readonly difference: number
  readonly interval: Estimate["interval"]
  /** `higher` and `lower`: the interval has 0 outside. */
  readonly verdict: "higher" | "lower" | "open"
}

/** Compares each job with the first, by the means of the judge and by the corrected ones. Means count as independent, so that both are careful. */
export function judgedComparisons(scores: readonly JudgedScore[]): readonly JudgedComparison[] {
  return [...Map.groupBy(scores, ({ name }) => name).values()].flatMap(([first, ...others]) =>
    others.flatMap((other): JudgedComparison[] => {
      if (first?.corrected == null || other.corrected === null) return []
      return [
        {
          name: other.name,
          jobs: [first.job, other.job],
          judge: comparedBy(other, first),
          corrected: comparedBy(other.corrected, first.corrected),
        },
      ]
    }),
  )
}

function comparedBy(after: Estimate, before: Estimate): Compared {
  const { difference, interval } = meanDifference(after, before)
  const verdict = interval === null ? "open" : interval.low > 0 ? "higher" : interval.high < 0 ? "lower" : "open"
  return { difference, interval, verdict }
}
