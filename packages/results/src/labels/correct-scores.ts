import {
  type EvaluationConfigBody,
  isAssayError,
  type LabelReport,
  type LabelRow,
  type ScoreCorrection,
} from "@assay/schemas"
import type { ScoreSummary, TaskSummary } from "../progress/plan-outcome.ts"
import type { JobLogLine } from "../progress/job-progress.ts"
import type { RowsReader } from "../rows/read-rows.ts"
import { judgeRows } from "./judge-rows.ts"
import { labelQuestion } from "./label-question.ts"
import { labelledMetrics } from "./labelled-metrics.ts"
import { peopleLabels } from "./people-labels.ts"

/** The labels that a metric names. */
export interface NamedLabels {
  /** As reports call them: `workspace/name`. */
  readonly name: string
  readonly rows: readonly LabelRow[]
}

/** Reads the labels that a metric names. */
export type ReadLabels = (reference: string, signal: AbortSignal) => Promise<NamedLabels>

export interface CorrectScoresOptions {
  readonly config: Pick<EvaluationConfigBody, "tasks" | "params" | "type">
  readonly journal: Pick<RowsReader, "read">
  readonly readLabels: ReadLabels
  /** Tasks whose gates have ended them. No interval over a number of rows that depends on the scores is valid. */
  readonly endedEarly: ReadonlySet<string>
  readonly onLog: (line: JobLogLine) => void
  readonly signal: AbortSignal
}

/**
 * Adds corrections to the scores of metrics that name labels of people. The scores stay as they are. Labels that can't be read are a warning in the
 * log: the rows are answered, and `assay label report` corrects them later.
 * @throws the reason of `signal`
 */
export async function correctScores(
  tasks: readonly TaskSummary[],
  options: CorrectScoresOptions,
): Promise<readonly TaskSummary[]> {
  const found = labelledMetrics(options.config).flatMap((named) => scoresOf(tasks, named))
  if (found.length === 0) return tasks
  const labels = await readAll(new Set(found.map((one) => one.labels)), options)
  const judged = found.flatMap((one) => {
    const own = labels.get(one.labels)
    return own === undefined
      ? []
      : [{ ...one, fileset: own.name, people: peopleLabels(own.rows, `${one.metric}.${one.score}`) }]
  })
  if (judged.length === 0) return tasks
  const sums = await judgeRows(options.journal, judged, { config: options.config }, options.signal)
  // The statistics are loaded with the first correction.
  const { reportLabels } = await import("./report-labels.ts")
  const corrections = new Map<ScoreSummary, ScoreCorrection>()
  for (const [at, { task, metric, score, summary, fileset, people }] of judged.entries()) {
    const sum = sums[at]
    if (sum === undefined || sum.values === 0) continue
    const { low, high } = labelQuestion(options.config, `${metric}.${score}`, sum)
    try {
      const judgeInterval = summary.stats?.interval ?? null
      const { metric: _name, ...report } = reportLabels({ judged: sum, judgeInterval, people, scale: { low, high } })
      corrections.set(summary, limited({ fileset, ...report }, options.endedEarly.has(task)))
    } catch (error) {
      if (!isAssayError(error, "invalid_request")) throw error
      const name = `${task}.${metric}.${score}`
      options.onLog({ level: "warn", message: `${name} is not corrected by '${fileset}': ${error.message}` })
    }
  }
  return tasks.map((task) => ({ ...task, metrics: withCorrections(task.metrics, corrections) }))
}

interface FoundScore {
  readonly task: string
  readonly metric: string
  readonly score: string
  readonly labels: string
  readonly summary: ScoreSummary
}

/** Returns the scores of a metric that are means over rows. */
function scoresOf(
  tasks: readonly TaskSummary[],
  { task, metric, labels }: Pick<FoundScore, "task" | "metric" | "labels">,
): readonly FoundScore[] {
  const own = tasks.find((one) => one.task === task)?.metrics[metric] ?? {}
  return Object.entries(own).flatMap(([score, summary]) =>
    summary.stats === null ? [] : [{ task, metric, labels, score, summary }],
  )
}

/** Reads each file once. */
async function readAll(
  references: ReadonlySet<string>,
  { readLabels, onLog, signal }: CorrectScoresOptions,
): Promise<ReadonlyMap<string, NamedLabels>> {
  const found = new Map<string, NamedLabels>()
  for (const reference of references) {
    try {
      found.set(reference, await readLabels(reference, signal))
    } catch (error) {
      signal.throwIfAborted()
      if (!isAssayError(error)) throw error
      const message = `Labels '${reference}' can't be read, so their scores are not corrected: ${error.message}`
      onLog({ level: "warn", message })
    }
  }
  return found
}

const ENDED_EARLY =
  "Gates have ended the job, so the number of rows depends on the scores: a corrected interval would not be valid."
function limited(found: ScoreCorrection, isEndedEarly: boolean): ScoreCorrection {
  if (!isEndedEarly) return found
  const { people, corrected, verdict } = found
  return {
    ...found,
    people: bare(people),
    corrected: bare(corrected),
    worth: null,
    verdict: verdict && { ...verdict, corrected: bare(verdict.corrected) },
    notes: [...found.notes, ENDED_EARLY],
  }
}

function bare(estimate: LabelReport["corrected"]): LabelReport["corrected"] {
  return estimate && { ...estimate, interval: null }
}

function withCorrections(
  metrics: TaskSummary["metrics"],
  corrections: ReadonlyMap<ScoreSummary, ScoreCorrection>,
): TaskSummary["metrics"] {
  const entries = Object.entries(metrics).map(([metric, scores]) => {
    const corrected = Object.entries(scores).map(([score, summary]) => {
      return [score, { ...summary, corrected: corrections.get(summary) }] as const
    })
    return [metric, Object.fromEntries(corrected)] as const
  })
  return Object.fromEntries(entries)
}
