import { AssayError, isAssayError, type MetricConfig } from "@assay/schemas"
import type { IssueList } from "../issue-list.ts"
import type { BoundMetric, MetricOutcome, ScoreInput, ScoreOptions } from "../metrics/bound-metric.ts"
import { defineMetrics } from "../metrics/define-metrics.ts"
import { createModelPool } from "../models/model-pool.ts"
import { runParams } from "../models/run-params.ts"
import { givenSample } from "../rows/given-answers.ts"
import { scoringEnvironment } from "./scoring-environment.ts"

type Item = ScoreInput["item"]

/** Metrics that are open, with the rows that they score. */
export interface RowsToScore {
  readonly rows: readonly Item[]
  readonly metrics: readonly BoundMetric[]
  close(): Promise<void>
}

/** Opens metrics over rows that contain their answers. @throws `invalid_request` with all faults of the metrics */
export async function openMetrics(
  rows: readonly Item[],
  metrics: Readonly<Record<string, MetricConfig>>,
): Promise<RowsToScore> {
  const found: string[] = []
  const issues: IssueList = {
    add: (message) => void found.push(message),
    attempt(make) {
      try {
        return make()
      } catch (error) {
        if (!isAssayError(error)) throw error
        found.push(error.message)
        return undefined
      }
    },
  }
  const definitions = defineMetrics({ name: "qa", issues, metrics, run: runParams() })
  if (found.length > 0) throw new AssayError("invalid_request", found.join(" "))
  const environment = scoringEnvironment()
  const models = createModelPool(environment)
  const closing: (() => Promise<void>)[] = [() => models.close()]
  const context = {
    environment,
    models,
    onClose: (close: () => Promise<void>) => void closing.push(close),
    signal: new AbortController().signal,
  }
  return {
    rows,
    metrics: await Promise.all(definitions.map((definition) => definition.bind(context))),
    async close() {
      for (const close of closing.toReversed()) await close()
    },
  }
}

export interface ScoredItem extends ScoreInput {
  /** By metric. */
  readonly outcomes: Readonly<Record<string, MetricOutcome>>
}

/** Scores the rows one after the other, and closes the metrics. */
export async function scoreRows(
  scoring: RowsToScore,
  { onRetry = () => {} }: Partial<Pick<ScoreOptions, "onRetry">> = {},
): Promise<readonly ScoredItem[]> {
  const { signal } = new AbortController()
  const scored: ScoredItem[] = []
  try {
    for (const item of scoring.rows) {
      const sample = givenSample(item)
      const outcomes: Record<string, MetricOutcome> = {}
      for (const metric of scoring.metrics)
        outcomes[metric.key] = await metric.score({ item, sample }, { signal, onRetry })
      scored.push({ item, sample, outcomes })
    }
  } finally {
    await scoring.close()
  }
  return scored
}
