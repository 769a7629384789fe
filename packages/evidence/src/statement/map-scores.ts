import type { EvaluationResult } from "@assay/schemas"

type Score = EvaluationResult["tasks"][string]["metrics"][string]["scores"][string]

/** Returns a part of a result with other scores. */
export function mapScores(
  part: EvaluationResult["tasks"],
  change: (score: Score, place: { readonly task: string; readonly metric: string; readonly score: string }) => Score,
): EvaluationResult["tasks"] {
  return mapEntries(part, (of, task) => ({
    metrics: mapEntries(of.metrics, ({ scores }, metric) => ({
      scores: mapEntries(scores, (found, score) => change(found, { task, metric, score })),
    })),
  }))
}

function mapEntries<T>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
