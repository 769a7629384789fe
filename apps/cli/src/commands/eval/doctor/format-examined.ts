import { formatJudge, formatScore, type Layout } from "@assay/reports/terminal"
import { judgeDoctor } from "@assay/results"
import { printable } from "@assay/schemas"
import { quotedWord } from "../../../output/error-hints.ts"

type ExaminedScore = Awaited<ReturnType<typeof judgeDoctor.examine>>[number]
type SelfPreference = ReturnType<typeof judgeDoctor.selfPreferences>[number]
type JudgedComparison = ReturnType<typeof judgeDoctor.comparisons>[number]

/** The findings of `assay eval doctor` about the judges of jobs. */
export interface Examined {
  readonly jobs: readonly {
    readonly id: string
    /** The job as the user wrote it. */
    readonly name: string
    readonly scores: readonly ExaminedScore[]
    /** Scores that a judge was asked for, and gave no row. */
    readonly unscored: readonly string[]
  }[]
  readonly self_preference: readonly SelfPreference[]
  readonly comparisons: readonly JudgedComparison[]
  /** Null: nothing was asked. */
  readonly asked: { readonly calls: number } | null
}

/** Formats what was found out about judges. */
export function formatExamined({ jobs, self_preference: own, comparisons }: Examined, layout: Layout): string {
  const parts = jobs.flatMap(({ name, scores, unscored }) => {
    const title = jobs.length > 1 ? `${printable(name)}\n` : ""
    if (scores.length + unscored.length === 0) return [`${title}No metric of '${printable(name)}' asks a judge.\n`]
    const texts = [
      ...scores.map((one) => scoreText(name, one, layout)),
      ...unscored.map((one) => unscoredText(name, one)),
    ]
    return texts.map((text, at) => `${at === 0 ? title : ""}${text}`)
  })
  return [...parts, ...comparisons.map(comparisonText), ...own.map(preferenceText)].join("\n")
}

function unscoredText(job: string, score: string): string {
  return `${printable(score)}: the judge gave no row of '${printable(job)}' a score, so nothing says how good it is.\nnext: assay eval explain ${quotedWord(job)}\n`
}

function scoreText(job: string, one: ExaminedScore, layout: Layout): string {
  const { name, metric, score, judge, gates } = one
  const next =
    judge.labels_next === 0
      ? []
      : [
          `next: assay label next ${quotedWord(job)} --metric ${quotedWord(`${metric}.${score}`)} --limit ${Math.min(1000, judge.labels_next)}`,
        ]
  const effects = judge.difference === null ? [] : judgeDoctor.effectSentences(gates)
  const gateHint =
    judge.conclusion === "corrected" ? [`gate: --gate ${quotedWord(`${name} corrected by people>=LIMIT`)}`] : []
  return formatJudge({ name, report: judge, sentences: [...effects, ...next, ...gateHint] }, layout)
}

type Range = SelfPreference["interval"]

function rangeText(interval: Range): string {
  return interval === null ? "no interval" : `${formatScore(interval.low)} to ${formatScore(interval.high)}`
}

function preferenceText({ name, judge, family, own, others, difference, interval }: SelfPreference): string {
  const verdict =
    interval === null
      ? "too few labels"
      : interval.low > 0
        ? "it prefers its own family: do not compare these models by it alone"
        : interval.high < 0
          ? "it is harder on its own family"
          : "no self-preference is shown"
  const models = `${own.map((one) => printable(one)).join(", ")} against ${others.map((one) => printable(one)).join(", ")}`
  return `self-preference of ${printable(judge)} (family ${printable(family)}) in ${printable(name)}: ${formatScore(difference)} (${rangeText(interval)}), ${models}: ${verdict}\n`
}

function comparisonText({ name, jobs: [before, after], judge, corrected }: JudgedComparison): string {
  const side = ({ difference, interval, verdict }: JudgedComparison["judge"]) =>
    `${formatScore(difference)} (${rangeText(interval)}), ${verdict}`
  const change =
    judge.verdict === corrected.verdict ? "the labels do not change this" : "the labels change the conclusion"
  return `${printable(name)}, ${printable(after)} minus ${printable(before)}: by the judge ${side(judge)}; corrected ${side(corrected)}: ${change}\n`
}
