/** A score of a job. */
export interface NamedScore {
  readonly task: string
  readonly metric: string
  readonly score: string
}

/**
 * Returns the shortest name of each score that no other one has: that of its metric, as evaluation files name it, then with the score, and with
 * the task. A metric has one score of its own name, or several.
 */
export function shortScoreNames(all: readonly NamedScore[]): readonly string[] {
  const byMetric = Map.groupBy(all, ({ metric }) => metric)
  return all.map(({ task, metric, score }) => {
    const alike = byMetric.get(metric) ?? []
    const isOfOneTask = alike.every((other) => other.task === task)
    const isOnly = metric === score || alike.every((other) => other.score === score)
    return [...(isOfOneTask ? [] : [task]), metric, ...(isOnly ? [] : [score])].join(" · ")
  })
}
