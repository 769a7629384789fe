import { labelsNeeded } from "@assay/metrics"
import { formatCount, formatScore } from "@assay/reports"
import type { JudgeReport, LabelReport } from "@assay/schemas"

/** The mean of a judge may be so far from that of people, as a share of the scale, and still count as theirs. */
const TOLERATED = 0.05
/** A corrected mean whose interval reaches further, as a share of the scale, decides too little. */
const USEFUL = 0.1
/** The labels to begin with. */
const FIRST_LABELS = 30

export interface JudgeFacts {
  readonly findings: Pick<JudgeReport, "agreement" | "difference" | "flips" | "position" | "length">
  readonly correction: Pick<LabelReport, "judge" | "corrected" | "labels" | "picked" | "labels_missing"> | undefined
  /** The judge minus people, of each row with a label. */
  readonly errors: readonly number[]
  readonly scale: readonly [low: number, high: number]
  readonly rows: number
}

type Conclusion = Pick<JudgeReport, "conclusion" | "labels_next" | "message">

/**
 * Concludes what gates can compare: the mean of the judge if labels show that it is within 5 % of the scale of that of people, and that both agree beyond
 * chance; the corrected mean if its interval reaches at most 10 % of the scale; else nothing before there are more labels.
 */
export function concludeJudge(facts: JudgeFacts): Conclusion {
  const { findings, correction, scale, rows } = facts
  const width = scale[1] > scale[0] ? scale[1] - scale[0] : 1
  const unit = unitOf(scale)
  const labels = correction?.labels ?? 0
  const { judge = null, corrected = null } = correction ?? {}
  const interval = corrected?.interval ?? null
  const warnings = warningsOf(findings)
  const end = (conclusion: JudgeReport["conclusion"], labels_next: number, sentences: readonly string[]) => ({
    conclusion,
    labels_next,
    message: [...sentences, ...warnings].join(" "),
  })
  if (interval === null && labels > 0 && correction?.labels_missing === 0)
    return end("not_yet", 0, [
      "Do not gate on it yet: labels give no interval here, and the notes beside them say why.",
    ])
  if (judge === null || corrected === null || interval === null) {
    const more = Math.min(Math.max(FIRST_LABELS - labels, correction?.labels_missing ?? 0), Math.max(rows - labels, 0))
    return end("not_yet", more, [
      `Do not gate on it yet: ${startOf(correction)} Label ${formatCount(more, "row")} that \`assay label next\` draws.`,
    ])
  }
  const reach = Math.max(interval.high - corrected.mean, corrected.mean - interval.low)
  const [least, most] = [judge.mean - interval.high, judge.mean - interval.low]
  const people = `people would find ${formatScore(corrected.mean)} (${formatScore(interval.low)} to ${formatScore(interval.high)}, by ${formatCount(labels, "label")})`
  const said = `the judge finds ${formatScore(judge.mean)}, and ${people}`
  const isClose = Math.max(Math.abs(least), Math.abs(most)) <= TOLERATED * width
  const agrees = (findings.agreement?.alpha_interval?.low ?? 1) > 0
  if (isClose && agrees)
    return end(
      "fit",
      0,
      [`Fit to gate: ${said}.`, agreementOf(findings)].filter((one) => one !== ""),
    )
  const bias = biasOf({ least, most, mean: judge.mean - corrected.mean, unit })
  const chance = agrees
    ? []
    : ["Its agreement with people can be chance, so that the labels decide and the judge adds little."]
  if (reach <= USEFUL * width) return end("corrected", 0, [`Use the corrected mean: ${said}. ${bias}`, ...chance])
  const more = labelsFor(facts, { reach: USEFUL * width, width, labels })
  const open = `Do not gate on it yet: ${said}, which leaves too much open.`
  return end("not_yet", more, [
    `${open} About ${formatCount(more, "label")} more would give ±${unit.format(USEFUL * width)}.`,
    ...chance,
  ])
}

function startOf(correction: JudgeFacts["correction"]): string {
  if (correction === undefined || correction.labels + correction.picked === 0) return "no row has a label of a person."
  if (correction.labels === 0)
    return `${formatCount(correction.picked, "row")} with a label ${correction.picked === 1 ? "was" : "were"} picked by somebody, which is not a sample of all rows.`
  return `${formatCount(correction.labels, "label")} ${correction.labels === 1 ? "is" : "are"} too few for an interval.`
}

/** Differences of shares are said in points. */
interface Unit {
  readonly format: (value: number) => string
}

function unitOf([low, high]: JudgeFacts["scale"]): Unit {
  const isShare = low >= 0 && high <= 1
  return {
    format: (value) => (isShare ? `${formatScore(Number((100 * value).toPrecision(2)))} points` : formatScore(value)),
  }
}

interface Bias {
  readonly least: number
  readonly most: number
  readonly mean: number
  readonly unit: Unit
}

function biasOf({ least, most, mean, unit }: Bias): string {
  if (least > 0) return `Its mean is too high by about ${unit.format(mean)}, and at least by ${unit.format(least)}.`
  if (most < 0) return `Its mean is too low by about ${unit.format(-mean)}, and at least by ${unit.format(-most)}.`
  return `No bias of its mean is shown, but it may be up to ${unit.format(Math.max(-least, most))}.`
}

function agreementOf({ agreement }: JudgeFacts["findings"]): string {
  if (agreement?.alpha == null) return ""
  const low = agreement.alpha_interval?.low
  return `It agrees with people beyond chance (alpha ${formatScore(agreement.alpha)}${low === undefined ? "" : `, at least ${formatScore(low)}`}).`
}

/** Returns what else a reader should know: only biases that are more than chance. */
function warningsOf({ flips, position, length }: JudgeFacts["findings"]): readonly string[] {
  const byLength = length?.given_labels?.interval ?? null
  const isByPosition = position !== null && position.share !== null && (position.low > 0.5 || position.high < 0.5)
  return [
    ...(byLength !== null && (byLength.low > 0 || byLength.high < 0)
      ? [`It prefers ${byLength.low > 0 ? "long" : "short"} answers beyond what labels explain.`]
      : []),
    ...(isByPosition
      ? [`It prefers the answer that is shown ${position.low > 0.5 ? "first" : "second"}: ask in both orders.`]
      : []),
    ...(flips?.flip_rate != null && flips.low > MANY_FLIPS
      ? [
          `Asked again, it changes its verdict in ${formatScore(100 * flips.flip_rate)} % of the rows: read means, and no single verdict.`,
        ]
      : []),
  ]
}

/** A judge that flips less often is worth no warning. */
const MANY_FLIPS = 0.05

interface Wanted {
  readonly reach: number
  readonly width: number
  readonly labels: number
}

/** Returns about how many more labels reach an interval, if the judge errs about the others as much as about those with a label. */
function labelsFor({ errors, rows }: JudgeFacts, { reach, width, labels }: Wanted): number {
  // One more error of the whole scale, because few labels can miss the rare ones.
  const squares = errors.reduce((sum, error) => sum + error * error, (width * width) / 4)
  const deviation = Math.sqrt(squares / (errors.length + 1))
  const needed = labelsNeeded({ reach, deviation, rows })
  const left = Math.max(1, rows - labels)
  return Number.isFinite(needed) ? Math.min(left, Math.max(10, needed - labels)) : left
}
