import { formatScore } from "@assay/reports"
import { pickedLabelsNote } from "../labels/picked-labels-note.ts"

/** The facts that notes on a corrected difference are about. */
export interface CorrectionFacts {
  readonly differing: number
  readonly rows: number
  /** The lowest and the highest value that was seen, if the scale of the score is not known. */
  readonly range: readonly [low: number, high: number] | null
  readonly labels: readonly [baseline: number, job: number]
  readonly isComplete: boolean
  /** Rows on which the judge sees a difference, if all of them have both labels; else 0. */
  readonly knownFlips: number
  /** Whether these count as a whole, beside a sample of the others. */
  readonly isStratified: boolean
  readonly leftOpen: number
  /** Labels of picked rows. */
  readonly unused: number
  /** How many labels a side lacks for an interval. */
  readonly missing: number
  /** How many labels on each side are enough in any case; null: more than there are rows. */
  readonly planned: number | null
  /** About how many labels on each side would decide; null: it is decided, or more labels would not. */
  readonly decidable: number | null
  /** The sides whose labels do not look like a random sample. */
  readonly unlike: readonly (0 | 1)[]
  /** The difference that labels should show. */
  readonly reach: number
  /** The names of both jobs. */
  readonly names: readonly [baseline: string, job: string]
}

/** Returns the sentences that belong to a corrected difference: what is missing, and reasons not to trust it. */
export function notesOfCorrection(facts: CorrectionFacts): string[] {
  const { differing, rows, range, isComplete, leftOpen, unused, missing, unlike, names } = facts
  if (isComplete) {
    const same = rows - differing
    return differing === 0
      ? ["Both jobs gave the same outputs: people see no difference, whatever the judge says."]
      : [
          `People have labelled all ${differing} answers that differ${same === 0 ? "" : `; ${same} are the same in both jobs`}: the judge's scores do not count.`,
        ]
  }
  return [
    ...(missing > 0 ? [missingLabels(facts)] : []),
    ...flipsOf(facts),
    ...(missing === 0 ? undecided(facts) : []),
    ...(missing === 0 && range !== null
      ? [
          `The scale of the score is not known: the interval holds if no label is outside of the values that were seen, ${formatScore(range[0])} to ${formatScore(range[1])}.`,
        ]
      : []),
    ...(leftOpen > 0
      ? [
          `Labels are missing for ${leftOpen} ${leftOpen === 1 ? "row" : "rows"} of the draw, and rows drawn after them have labels. If they were left out because they are hard or bad, the labels are not a random sample and the difference is wrong: label them too. The comparison is not decided before.`,
        ]
      : []),
    ...unlike.map(
      (side) =>
        `The judge scores the labelled rows of '${names[side]}' differently from its other rows, more than chance explains: the labels do not look like a random sample, and the difference may be wrong.`,
    ),
    ...pickedLabelsNote(unused),
  ]
}

/** Says what labels of all rows on which the judge sees a difference are worth. */
function flipsOf({ knownFlips, isStratified, differing }: CorrectionFacts): readonly string[] {
  if (knownFlips === 0) return []
  const others = differing - knownFlips
  const all = `People have labelled all ${knownFlips} answers on which the judge sees a difference`
  return isStratified
    ? [`${all}, so these are known, and the other labels are a sample of the ${others} answers on which it sees none.`]
    : [
        `${all}. It may be wrong about the ${others} on which it sees none: it takes at least 10 drawn labels of these on each side.`,
      ]
}

/** Says how many labels it takes. */
function missingLabels({ differing, labels, missing, planned, reach }: CorrectionFacts): string {
  const has =
    labels[0] + labels[1] === 0
      ? "No answer that differs and was drawn has a label"
      : `There are ${labels[0]} and ${labels[1]} labels`
  const least = Math.min(differing, Math.min(...labels) + missing)
  const enough =
    planned === null
      ? `; to show a difference of ${formatScore(reach)}, it can take all of them, and fewer if the judge is good`
      : planned <= least
        ? ""
        : `; ${planned} on each are enough whatever the judge is worth, and fewer if it is good`
  return `${has}: it takes at least ${least} labels on each side, of ${differing} answers that differ${enough}.`
}

function undecided({ decidable, differing, labels }: CorrectionFacts): readonly string[] {
  if (decidable === null) return []
  const least = Math.min(...labels)
  if (decidable > differing)
    return [`More rows are needed: labels of all ${differing} answers that differ would hardly decide.`]
  return decidable <= least ? [] : [`About ${decidable} labels on each side would decide, if they differ as these do.`]
}
