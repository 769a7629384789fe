import { formatCsv, scoreInterval, type CsvCell } from "@assay/reports"
import type { EvaluationResult, Score } from "@assay/schemas"
import { listScores } from "../scores/list-scores.ts"

const COLUMNS: readonly (readonly [name: string, cell: (score: Score) => CsvCell])[] = [
  ["value", ({ value }) => value],
  ["low", (score) => scoreInterval(score)?.low],
  ["high", (score) => scoreInterval(score)?.high],
  ["confidence", (score) => scoreInterval(score)?.confidence],
  ["method", (score) => scoreInterval(score)?.method],
  ["scored", ({ stats }) => stats?.scored],
  ["unreadable", ({ stats }) => stats?.unreadable],
  ["errored", ({ stats }) => stats?.errored],
  ["skipped", ({ stats }) => stats?.skipped],
  ["complete", ({ stats }) => stats?.complete],
  ["stddev", ({ stats }) => stats?.stddev],
  ["stderr", ({ stats }) => stats?.stderr],
  ["min", ({ stats }) => stats?.min],
  ["p50", ({ stats }) => stats?.percentiles["p50"]],
  ["p90", ({ stats }) => stats?.percentiles["p90"]],
  ["max", ({ stats }) => stats?.max],
]

/** Formats `metrics.csv`: a line for each score, with the interval of its mean and the four counts. */
export function formatMetricsCsv(result: EvaluationResult): string {
  const header: readonly CsvCell[] = ["task", "metric", "score", ...COLUMNS.map(([name]) => name)]
  const lines = listScores(result).map(({ task, metric, score, found }) => [
    task,
    metric,
    score,
    ...COLUMNS.map(([, cell]) => cell(found)),
  ])
  return formatCsv([header, ...lines])
}
