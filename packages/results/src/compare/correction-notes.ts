import { formatScore } from "@assay/reports"

/** The facts that notes on a corrected difference are about. */
export interface CorrectionFacts {
  readonly differing: number
  readonly rows: number
  readonly labels: readonly [baseline: number, job: number]
  readonly isComplete: boolean
  readonly leftOpen: number
  /** Labels of rows that differ, those of picked rows included. */
  readonly picked: number
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
  const { differing, rows, labels, isComplete, leftOpen, picked, missing, unlike, names } = facts
  const used = labels[0] + labels[1]
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
    ...(missing === 0 ? undecided(facts) : []),
    ...(leftOpen > 0
      ? [
          `Labels are missing for ${leftOpen} ${leftOpen === 1 ? "row" : "rows"} of the draw, and rows drawn after them have labels. If they were left out because they are hard or bad, the labels are not a random sample and the difference is wrong: label them too. The comparison is not decided before.`,
        ]
      : []),
    ...unlike.map(
      (side) =>
        `The judge scores the labelled rows of '${names[side]}' differently from its other rows, more than chance explains: the labels do not look like a random sample, and the difference may be wrong.`,
    ),
    ...(picked > used
      ? [`${picked - used} labels of picked rows are not used: only drawn rows are a sample of all.`]
      : []),
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
