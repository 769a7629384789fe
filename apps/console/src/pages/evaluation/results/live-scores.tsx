import { formatInteger, intervalPlot } from "@assay/reports"
import type { EvaluationJob, ScoreDistribution } from "@assay/schemas"
import { useQueries } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { Markup } from "../../../components/markup.tsx"
import { formatWithUnit, unitOfMetric } from "../jobs/score-unit.ts"

/** Each shown interval is a request whenever rows are scored. */
const MAX_SHOWN = 8

/** The words for the order of the rows, after their number. */
const ORDER: Readonly<Record<ScoreDistribution["order"], string>> = {
  complete: "",
  random: ", rows in random order",
  file: ", rows in file order",
}

export interface LiveScoresProps {
  readonly job: EvaluationJob
  /** The scores that have running means, as `task.metric.score`. */
  readonly means: readonly string[]
}

/**
 * Shows the mean of each score over the rows so far, and its interval if rows come in random order. The first rows of a file can differ from its others.
 */
export function LiveScores({ job: { id, config }, means }: LiveScoresProps): ReactElement | null {
  const client = useClient()
  const shown = means.slice(0, MAX_SHOWN).map((name) => {
    const [task = "", ...rest] = name.split(".")
    return { name, task, metric: rest.join("."), unit: unitOfMetric(config, rest.slice(0, -1).join("."), task) }
  })
  const answers = useQueries({
    queries: shown.map(({ task, metric }) => ({
      queryKey: ["jobs", id, "distribution", task, metric],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.evaluation.jobs.distribution(id, { task, metric }, { signal }),
      retry: false,
    })),
  })
  if (shown.length === 0) return null
  return (
    <section aria-label="Scores so far">
      <h2>Scores so far</h2>
      <div className="scores">
        {shown.map(({ name, unit }, index) => {
          const stats = answers[index]?.data
          return (
            <article key={name} className="card">
              <h3>{name}</h3>
              <div className="value">{formatWithUnit(stats?.mean, unit)}</div>
              {stats?.interval == null ? null : <Markup of={intervalPlot(stats, null, { unit })} />}
              <p className="counts">
                {stats === undefined ? "" : `${formatInteger(stats.count)} rows so far${ORDER[stats.order]}`}
              </p>
            </article>
          )
        })}
      </div>
    </section>
  )
}
