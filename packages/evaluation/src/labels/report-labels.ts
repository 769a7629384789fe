import { correctMean, correctRate, labelsMissing, labelsNeeded, measureRate, type LabelledScore } from "@assay/metrics"
import type { LabelReport } from "@assay/schemas/labels"
import type { JudgedScores } from "../row-index/labels/judged-scores.ts"
import type { PeopleLabel } from "./people-labels.ts"

export interface ReportLabelsInput {
  readonly judged: JudgedScores
  /** The interval of the judge's mean, as the results of the job have it. */
  readonly judgeInterval: LabelReport["judge"]["interval"]
  readonly people: ReadonlyMap<number, PeopleLabel>
}

/** The reach of an interval that is recommended for a judge, as a share of the scale. */
const RECOMMENDED_REACH = 0.05

/** Compares a judge with the labels of people, and corrects its mean by them. The formulas are in `correctMean` and `correctRate`. */
export function reportLabels({
  judged,
  judgeInterval,
  people,
}: ReportLabelsInput): Omit<LabelReport, "job" | "fileset"> {
  const { score: metric, rows, mean, deviation, labelled } = judged
  // In the order of the labels, so that equal labels give equal numbers for any order of rows.
  const known = [...people].flatMap(([digest, given]) => {
    const judgement = labelled.get(digest)
    return judgement === undefined ? [] : [{ ...given, ...judgement }]
  })
  const drawn = known.flatMap(({ label, score, probability, times }): LabelledScore[] => {
    // Equal rows share a label: it counts as often as they do.
    return probability === null ? [] : [{ label, score, probability: probability / times }]
  })
  // Repeats of one row are not independent, so the rows count. There can be more labels than rows then.
  const population = { rows: Math.max(rows, drawn.length), mean }
  const found = drawn.length === 0 ? undefined : correctMean(drawn, population)
  const verdict = verdictOf(judged, drawn)
  const scale = scaleOf(judged)
  const missing = labelsMissing(drawn.map(({ label }) => label))
  const needed = rows === 0 ? Infinity : labelsNeeded({ reach: RECOMMENDED_REACH * scale, deviation, rows })
  return {
    metric,
    rows,
    labels: drawn.length,
    picked: known.length - drawn.length,
    elsewhere: people.size - known.length,
    judge: { mean, interval: judgeInterval },
    people: found === undefined ? null : { mean: found.people, interval: found.peopleInterval },
    corrected: found === undefined ? null : { mean: found.corrected, interval: found.interval },
    power: found?.power ?? null,
    worth: found?.worth ?? null,
    verdict,
    labels_needed: Number.isFinite(needed) ? needed : null,
    labels_missing: missing,
    notes: notesOf({ drawn, picked: known.length - drawn.length, missing }),
  }
}

/** Returns sensitivity and specificity of a judge with two scores; null for others, and for labels that are no such scores. */
function verdictOf({ levels, highest, values }: JudgedScores, drawn: readonly LabelledScore[]): LabelReport["verdict"] {
  const [low = 0, positive = 1] = levels?.length === 2 ? levels : [0, 1]
  const areLevels = levels !== null && levels.every((level) => level === low || level === positive)
  const areEqual = drawn.every(({ probability }) => probability === drawn[0]?.probability)
  if (!areLevels || !areEqual || drawn.some(({ label }) => label !== low && label !== positive)) return null
  const count = (label: number, score: number) =>
    drawn.filter((one) => one.label === label && one.score === score).length
  const [tp, fn, tn, fp] = [count(positive, positive), count(positive, low), count(low, low), count(low, positive)]
  const corrected = correctRate({
    apparent: { count: levels.includes(positive) ? highest : 0, n: values },
    sensitivity: { count: tp, n: tp + fn },
    specificity: { count: tn, n: tn + fp },
  })
  const onScale = (share: number) => low + share * (positive - low)
  return {
    positive,
    sensitivity: measureRate(tp, tp + fn),
    specificity: measureRate(tn, tn + fp),
    corrected_reason: corrected.reason,
    corrected:
      corrected.rate === null
        ? null
        : {
            mean: onScale(corrected.rate),
            interval: {
              ...corrected.interval,
              low: onScale(corrected.interval.low),
              high: onScale(corrected.interval.high),
            },
          },
  }
}

/** Returns the width of the judge's scale as far as its scores show it; 1 for a constant judge. */
function scaleOf({ low, high }: JudgedScores): number {
  return high > low ? high - low : 1
}

function notesOf({
  drawn,
  picked,
  missing,
}: {
  readonly drawn: readonly LabelledScore[]
  readonly picked: number
  readonly missing: number
}): string[] {
  const wrong = drawn.filter(({ label, score }) => label !== score).length
  return [
    ...(drawn.length === 0 ? ["No row that was drawn has a label: the judge is not validated on this data."] : []),
    ...(drawn.length > 0 && missing > 0
      ? [
          `No interval is valid yet: it takes 10 labels, of which 5 differ from the most common one; at least ${missing} more ${missing === 1 ? "is" : "are"} missing.`,
        ]
      : []),
    ...(drawn.length > 0 && wrong === 0
      ? [
          `No label differs from the judge's score. It may be wrong in up to ${Math.ceil(300 / drawn.length)} % of the rows all the same, which the interval does not include.`,
        ]
      : []),
    ...(picked > 0 ? [`${picked} labels of picked rows are not used: only drawn rows are a sample of all.`] : []),
  ]
}
