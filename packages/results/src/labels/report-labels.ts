import {
  correctMean,
  correctRate,
  labelBalance,
  labelsMissing,
  labelsNeeded,
  measureRate,
  type JudgedPopulation,
  type LabelledScore,
} from "@assay/metrics"
import { invalidRequest, type LabelReport } from "@assay/schemas"
import type { JudgedScores } from "../row-index/labels/judged-scores.ts"
import type { PeopleLabel } from "./people-labels.ts"
import { pickedLabelsNote } from "./picked-labels-note.ts"

export interface ReportLabelsInput {
  readonly judged: JudgedScores
  /** The interval of the judge's mean, as the results of the job have it. */
  readonly judgeInterval: NonNullable<LabelReport["judge"]>["interval"]
  readonly people: ReadonlyMap<number, PeopleLabel>
  /** The lowest and the highest possible label, as far as they are known. */
  readonly scale: { readonly low: number | null; readonly high: number | null }
}

/** The reach of an interval that is recommended for a judge, as a share of the scale. */
const RECOMMENDED_REACH = 0.05

/**
 * Compares a judge with the labels of people, and corrects its mean by them. The formulas are in `correctMean` and `correctRate`.
 * @throws `invalid_request` for a label that is not on the scale
 */
export function reportLabels({
  judged,
  judgeInterval,
  people,
  scale,
}: ReportLabelsInput): Omit<LabelReport, "job" | "fileset"> {
  const { score: metric, rows, labelled } = judged
  // In the order of the labels, so that equal labels give equal numbers for any order of rows.
  const known = [...people].flatMap(([digest, given]) => {
    const judgement = labelled.get(digest)
    return judgement === undefined ? [] : [{ ...given, ...judgement }]
  })
  checkScale(known, scale, metric)
  const drawn = known.flatMap(({ label, score, probability, times, cluster }): LabelledScore[] => {
    // Equal rows share a label: it counts as often as they do.
    return probability === null ? [] : [{ label, score, probability, times, ...(cluster !== undefined && { cluster }) }]
  })
  const found = drawn.length === 0 ? undefined : correctMean(drawn, populationOf(judged), rangeOf(judged, scale, drawn))
  const verdict = verdictOf(judged, drawn)
  const width = widthOf(judged, scale)
  const missing = labelsMissing(drawn.length)
  const largest = { reach: RECOMMENDED_REACH * width, deviation: width / 2, rows }
  const needed = rows === 0 ? Infinity : labelsNeeded(largest)
  return {
    metric,
    rows,
    labels: drawn.length,
    picked: known.length - drawn.length,
    elsewhere: people.size - known.length,
    judge: rows === 0 ? null : { mean: judged.mean, interval: judgeInterval },
    people: found === undefined ? null : { mean: found.people, interval: found.peopleInterval },
    corrected: found === undefined ? null : { mean: found.corrected, interval: found.interval },
    covers: judged.clusters === undefined ? "rows" : "clusters",
    left_open: judged.leftOpen,
    power: found?.power ?? null,
    worth: found?.worth ?? null,
    verdict,
    labels_needed: Number.isFinite(needed) ? needed : null,
    labels_missing: missing,
    notes: notesOf({ judged, drawn, picked: known.length - drawn.length, missing }),
  }
}

/** Returns sensitivity and specificity of a judge with two scores; null for others, and for labels that are not such scores. */
function verdictOf({ levels, highest, values }: JudgedScores, drawn: readonly LabelledScore[]): LabelReport["verdict"] {
  const [low = 0, positive = 1] = levels?.length === 2 ? levels : [0, 1]
  const areLevels = levels !== null && levels.every((level) => level === low || level === positive)
  const areEqual = drawn.every(({ probability }) => probability === drawn[0]?.probability)
  if (!areLevels || !areEqual || drawn.some(({ label }) => label !== low && label !== positive)) return null
  const count = (label: number, score: number) =>
    drawn.filter((one) => one.label === label && one.score === score).length
  const tp = count(positive, positive)
  const fn = count(positive, low)
  const tn = count(low, low)
  const fp = count(low, positive)
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

type Scale = ReportLabelsInput["scale"]

function populationOf({ values, mean, low, high, clusters }: JudgedScores): JudgedPopulation {
  return { rows: values, mean, scores: [low, high], ...(clusters !== undefined && { clusters }) }
}

/** Returns the range of labels: that of the score, or the one that scores and labels show. */
function rangeOf(
  { low, high }: JudgedScores,
  scale: Scale,
  drawn: readonly LabelledScore[],
): { readonly range?: readonly [number, number] } {
  if (scale.low === null && scale.high === null) return {}
  const labels = drawn.map(({ label }) => label)
  return {
    range: [scale.low ?? Math.min(low, ...labels), scale.high ?? Math.max(high, ...labels)],
  }
}

/** Returns the width of the scale, or of what the judge's scores show of it; 1 for a constant judge. */
function widthOf({ low, high }: JudgedScores, scale: Scale): number {
  const width = (scale.high ?? high) - (scale.low ?? low)
  return width > 0 ? width : 1
}

function checkScale(labels: readonly { readonly label: number }[], { low, high }: Scale, metric: string): void {
  const wrong = labels.find(({ label }) => label < (low ?? -Infinity) || label > (high ?? Infinity))
  if (wrong === undefined) return
  const message = `A label of '${metric}' is ${wrong.label}, and the score has values from ${low ?? "any number"} to ${high ?? "any number"}; correct or remove its line in the file of labels.`
  throw invalidRequest(["fileset"], message, "value_error", wrong.label)
}

/** Fewer than one in 200 random samples is as unlike all rows. */
const UNLIKELY = 0.005

interface NotedLabels {
  readonly judged: JudgedScores
  readonly drawn: readonly LabelledScore[]
  readonly picked: number
  readonly missing: number
}

function notesOf({ judged, drawn, picked, missing }: NotedLabels): string[] {
  const wrong = drawn.filter(({ label, score }) => label !== score).length
  const { leftOpen } = judged
  const balance = drawn.length === 0 ? 1 : labelBalance(drawn, populationOf(judged), judged.deviation)
  return [
    ...(drawn.length === 0 ? ["No row that was drawn has a label: the judge is not validated on this data."] : []),
    ...(drawn.length > 0 && missing > 0
      ? [`There is no interval yet: it takes 10 labels; ${missing} more ${missing === 1 ? "is" : "are"} missing.`]
      : []),
    ...(leftOpen > 0
      ? [
          `Labels are missing for ${leftOpen} ${leftOpen === 1 ? "row" : "rows"} of the draw, and rows drawn after them have labels. If they were left out because they are hard or bad, or because their output has changed, the labels are not a random sample and the corrected mean is wrong: label them too.`,
        ]
      : []),
    ...(balance < UNLIKELY
      ? [
          "The judge scores the rows with labels differently from all rows, more than chance explains: the labels do not look like a random sample, and the corrected mean may be wrong.",
        ]
      : []),
    ...(drawn.length > 0 && wrong === 0
      ? [
          `No label differs from the judge's score. It may be wrong in up to ${Math.ceil(300 / drawn.length)} % of the rows nevertheless, which the interval includes.`,
        ]
      : []),
    ...(drawn.length > 0 && judged.clusters !== undefined
      ? ["Rows count by their groups (`cluster_by`): the intervals are for the mean of all groups like these."]
      : []),
    ...pickedLabelsNote(picked),
  ]
}
