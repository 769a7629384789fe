import { type EvaluationConfigBody, isAssayError, type JudgeReport, type LabelRow } from "@assay/schemas"
import { digestNumber } from "../rows/output-digest.ts"
import type { CorrectScoresOptions } from "../labels/correct-scores.ts"
import { labelQuestion } from "../labels/label-question.ts"
import { labelledMetrics } from "../labels/labelled-metrics.ts"
import type { ScoreSummary, TaskSummary } from "../progress/plan-outcome.ts"
import { buildResult } from "../scores/build-result.ts"
import { examineJudge, type JudgeToExamine } from "./examine-judge.ts"
import { type JudgeScore, judgeScores } from "./judge-scores.ts"
import { readVerdicts } from "./read-verdicts.ts"

export type ExamineScoresOptions = Pick<CorrectScoresOptions, "config" | "journal" | "signal"> & {
  /** Absent: labels can't be read here. */
  readonly readLabels?: CorrectScoresOptions["readLabels"] | undefined
}

/**
 * Adds reports about their judges to the scores that a model gives. The labels are those that metrics name. Labels that can't be read are left out, which
 * `correctScores` has reported. @throws the reason of `signal`
 */
export async function examineScores(
  tasks: readonly TaskSummary[],
  { config, journal, readLabels, signal }: ExamineScoresOptions,
): Promise<readonly TaskSummary[]> {
  const own = tasks.filter(({ group }) => group === undefined)
  const scores = judgeScores(config, buildResult({ tasks: own }, NO_FACTS))
  if (scores.length === 0) return tasks
  const labels = await labelsByMetric(config, readLabels, signal)
  const read = await readVerdicts(journal, scores, { isLabelled: isLabelledBy(labels.values()), signal })
  const reports = new Map<ScoreSummary | undefined, JudgeReport>()
  for (const [at, one] of scores.entries()) {
    const { task, metric, score, found } = one
    const verdicts = read[at]
    if (verdicts === undefined) continue
    const given = labels.get(metricKey(task, metric)) ?? []
    const report = examineScore(config, one, { verdicts, labels: given, correction: found.corrected })
    reports.set(own.find((one) => one.task === task)?.metrics[metric]?.[score], report)
  }
  return tasks.map((task) => ({ ...task, metrics: withReports(task.metrics, reports) }))
}

const NO_FACTS = { id: "", job: "", namespace: "", filesUrl: null, createdAt: 0 }

/** Examines the judge of a score of a result. */
export function examineScore(
  config: EvaluationConfigBody,
  { metric, score, model, found }: JudgeScore,
  known: Pick<JudgeToExamine, "verdicts" | "labels" | "correction" | "repeats" | "swapped">,
): JudgeReport {
  const name = `${metric}.${score}`
  const { low, high, rubric, yes } = labelQuestion(config, name, seenIn(found.stats))
  return examineJudge({
    ...known,
    score: name,
    model,
    isNominal: rubric.length > 0 || yes !== null,
    scale: { low, high },
  })
}

/** Returns what says whether an output has a label, by the number of its digest. */
export function isLabelledBy(labels: Iterable<readonly LabelRow[]>): (digest: number) => boolean {
  const labelled = new Set([...labels].flatMap((rows) => rows.map(({ digest }) => digestNumber(digest))))
  return (digest) => labelled.has(digest)
}

/** Returns the lowest and the highest verdict. */
function seenIn(stats: { readonly min: unknown; readonly max: unknown } | undefined) {
  const number = (value: unknown) => (typeof value === "number" ? value : Number.NaN)
  return { low: number(stats?.min), high: number(stats?.max) }
}

async function labelsByMetric(
  config: Pick<EvaluationConfigBody, "tasks">,
  readLabels: ExamineScoresOptions["readLabels"],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly LabelRow[]>> {
  const found = new Map<string, readonly LabelRow[]>()
  for (const { task, metric, labels } of readLabels === undefined ? [] : labelledMetrics(config)) {
    try {
      found.set(metricKey(task, metric), (await readLabels?.(labels, signal))?.rows ?? [])
    } catch (error) {
      signal.throwIfAborted()
      if (!isAssayError(error)) throw error
    }
  }
  return found
}

function metricKey(task: string, metric: string): string {
  return JSON.stringify([task, metric])
}

function withReports(
  metrics: TaskSummary["metrics"],
  reports: ReadonlyMap<ScoreSummary | undefined, JudgeReport>,
): TaskSummary["metrics"] {
  const entries = Object.entries(metrics).map(([metric, scores]) => {
    const examined = Object.entries(scores).map(([score, summary]) => {
      const judge = reports.get(summary)
      return [score, judge === undefined ? summary : { ...summary, judge }] as const
    })
    return [metric, Object.fromEntries(examined)] as const
  })
  return Object.fromEntries(entries)
}
