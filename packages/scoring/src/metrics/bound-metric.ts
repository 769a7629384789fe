import type { Interval } from "@assay/metrics"
import type { ConversationCall, ConversationEnd, ConversationTurn, EvaluationSample, ScoreValue } from "@assay/schemas"
import type { SourceRow } from "../rows/source-row.ts"
import type { JudgeAnswers } from "./judge/judge-answers.ts"

export interface ScoreOptions {
  readonly signal: AbortSignal
  /** Called before a call to a model or a service is repeated. */
  readonly onRetry: (retry: { readonly error: unknown; readonly waitMs: number }) => void
  /** Keeps the answers of judges, or gives the kept ones. Absent: judges are asked, and their answers are not kept. */
  readonly judgeAnswers?: JudgeAnswers | undefined
  /** The answer that the row was compared with when its judge was asked. Absent: it is looked up. */
  readonly comparedWith?: string | undefined
  /** The number of the repeat of the row, from 0, on which recorded answers depend. Default 0. */
  readonly repeat?: number | undefined
}

export interface ScoreInput {
  readonly item: SourceRow["item"]
  readonly sample: EvaluationSample
  /** The number of the row in its task. Absent for an example. */
  readonly row?: number
  /** The turns of a conversation so far. */
  readonly turns?: readonly ConversationTurn[]
  /** The calls of tools that are scored: those of a conversation or of one turn. */
  readonly calls?: readonly ConversationCall[]
}

/** The scores of a metric for one row. */
export interface MetricOutcome {
  /** Without scores that do not apply to this row, such as the share of missed attacks for a harmless prompt. */
  readonly scores: Readonly<Record<string, ScoreValue>>
  /** Why scores are NaN, with the answer of the judge. */
  readonly unreadable?: { readonly reason: string; readonly raw: string }
  /** For a rubric: the label of each score. */
  readonly labels?: Readonly<Record<string, string>>
  /** The answer of another job that the row was compared with. */
  readonly comparedWith?: string
  /** The scores of each turn of a conversation; undefined for turns that the metric is not for. */
  readonly turns?: readonly (Readonly<Record<string, ScoreValue>> | undefined)[]
}

/** A score over all rows that is not the mean of the rows' scores. */
export interface CorpusScore {
  /** Adds a row with the scores that the metric gave it. `unit` is the number of its row or group, if rows repeat or have groups. */
  add(input: ScoreInput, scores: MetricOutcome["scores"], unit?: number): void
  value(): ScoreValue
  /** Returns the interval of the value; null if there are too few rows. Absent: the score has no interval. */
  interval?(): Interval | null
}

export interface BoundMetric {
  /** The key of the metric in the task. */
  readonly key: string
  readonly type: string
  readonly scores: readonly string[]
  /** For rubrics: the labels that a score can have. */
  readonly labels?: Readonly<Record<string, readonly string[]>>
  /** The lowest and the highest possible value of each score that has them. */
  readonly ranges?: Readonly<Record<string, readonly [low: number, high: number]>>
  /** Whether its scores are amounts, such as tokens. Amounts are not a rate, even if all of them are 0 or 1. */
  readonly isAmount?: boolean
  /** Whether it may apply to no row at all, such as that of a turn that no conversation reached. Rows that failed then do not count for it. Default false. */
  readonly isOptional?: boolean
  /** Returns whether a limit ended a conversation before a turn of this metric. Absent: it is not a metric of turns. */
  readonly isCut?: (conversation: Pick<ScoreInput, "turns"> & { readonly end: ConversationEnd | undefined }) => boolean
  /** Whether it calls a model or a service. Then `score` may take long and throw coded errors. */
  readonly isRemote: boolean
  readonly score: (input: ScoreInput, options: ScoreOptions) => MetricOutcome | Promise<MetricOutcome>
  /** Creates new corpus scores for a pass over the rows, by the name of the score. */
  readonly createCorpusScores?: () => Readonly<Record<string, CorpusScore>>
}
