import { cohenKappa, krippendorffAlpha } from "@assay/metrics"
import type { LabelReport, LabelRow } from "@assay/schemas"
import { labelsByAuthor } from "./people-labels.ts"

type LabelAgreement = NonNullable<LabelReport["agreement"]>

/** Fewer than usual, because the report is computed after each label. */
const RESAMPLES = 2000
/** The table of kappa has a cell for each pair of labels. */
const MAX_VALUES = 1000

export interface AgreementOptions {
  /** As `metric.score`. */
  readonly score: string
  /** Whether labels are words, which are equal or not. Numbers of a scale differ by their difference. */
  readonly isNominal: boolean
  /** Numbers of the digests that count: those of the job's rows. */
  readonly digests: { has(digest: number): boolean }
}

/** Measures how far the authors of labels agree. Returns null if no row has labels of two authors. */
export function labelAgreement(
  rows: readonly LabelRow[],
  { score, isNominal, digests }: AgreementOptions,
): LabelAgreement | null {
  const units = [...labelsByAuthor(rows, score)].flatMap(([digest, last]) => {
    const given = [...last].flatMap(([author, { label }]) => (label === null ? [] : [{ author, label }]))
    return digests.has(digest) && given.length > 1 ? [given] : []
  })
  if (units.length === 0) return null
  const values = units.map((given) => given.map(({ label }) => label))
  const { alpha, interval } = krippendorffAlpha(values, {
    level: isNominal ? "nominal" : "interval",
    resamples: RESAMPLES,
  })
  const authors = [...new Set(units.flatMap((given) => given.map(({ author }) => author)))]
  const [first] = authors
  const ofFirst = (given: (typeof units)[number], isFirst: boolean) =>
    given.flatMap(({ author, label }) => ((author === first) === isFirst ? [label] : []))
  const pair =
    authors.length === 2 && new Set(values.flat()).size <= MAX_VALUES
      ? cohenKappa(
          units.flatMap((given) => ofFirst(given, true)),
          units.flatMap((given) => ofFirst(given, false)),
          { weights: isNominal ? "none" : "linear" },
        )
      : undefined
  return {
    authors,
    rows: units.length,
    same: values.filter((given) => new Set(given).size === 1).length,
    alpha,
    alpha_interval: interval,
    kappa: pair?.kappa ?? null,
    kappa_interval: pair?.interval ?? null,
  }
}
