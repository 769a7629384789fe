import { formatInteger, formatScore, histogramPlot, intervalPlot, scoreInterval } from "@assay/reports"
import type { EvaluationJob, EvaluationResult, Score } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { Folded } from "../../../components/folded.tsx"
import { Markup } from "../../../components/markup.tsx"
import { datasetsOf } from "../jobs/job-facts.ts"
import { isOfTurn } from "../rows/failing-rows.ts"
import { scoresOf } from "./list-scores.ts"
import { formatWithUnit, titleWithUnit, unitOfMetric, type ScoreUnit } from "../jobs/score-unit.ts"

/** Shows each score of a result with its interval, its distribution and the four counts. */
export function ScoreCards({
  job,
  result,
}: {
  readonly job: EvaluationJob
  readonly result: EvaluationResult
}): ReactElement {
  const scores = scoresOf(result)
  const ofTurns = scores.filter(({ metric }) => isOfTurn(metric))
  return (
    <section aria-label="Scores">
      <h2>Scores</h2>
      <p className="soft">
        <Link to="/trends" search={trendSearch(job)}>
          These scores over time
        </Link>
      </p>
      <CardsOfScores job={job} scores={scores.filter(({ metric }) => !isOfTurn(metric))} />
      {ofTurns.length === 0 ? null : (
        <Folded title="Scores of single turns">{() => <CardsOfScores job={job} scores={ofTurns} />}</Folded>
      )}
    </section>
  )
}

/** Returns what shows the jobs over the same dataset, or else those of the same workspace. */
function trendSearch(job: EvaluationJob) {
  const [dataset] = datasetsOf(job)
  return { workspace: job.namespace, ...(dataset === undefined ? {} : { dataset }) }
}

interface CardsOfScoresProps {
  readonly job: EvaluationJob
  readonly scores: ReturnType<typeof scoresOf>
}

function CardsOfScores({ job: { id, config }, scores }: CardsOfScoresProps): ReactElement {
  return (
    <div className="scores">
      {scores.map(({ task, metric, score, name, given }) => (
        <ScoreCard
          key={`${task} ${metric} ${score}`}
          id={id}
          task={task}
          field={`${metric}.${score}`}
          name={name}
          unit={unitOfMetric(config, metric, task)}
          score={given}
        />
      ))}
    </div>
  )
}

interface ScoreCardProps {
  readonly id: string
  readonly task: string
  /** The score as rows name it. */
  readonly field: string
  readonly name: string
  readonly unit: ScoreUnit
  readonly score: Score
}

function ScoreCard({ id, task, field, name, unit, score }: ScoreCardProps): ReactElement {
  const { value, stats } = score
  return (
    <article className="card">
      <h3>
        <span>
          {name} <span className="soft">{task}</span>
        </span>
      </h3>
      <div className="value">{formatWithUnit(value, unit)}</div>
      {stats === undefined ? (
        <ScoreOfAllRows score={score} unit={unit} />
      ) : (
        <>
          <ScoreStatistics stats={stats} unit={unit} />
          {stats.scored === 0 ? null : (
            <p className="actions">
              <Link
                to="/jobs/$id"
                params={{ id }}
                search={{ tab: "rows", task, sort: `score:${field}` }}
                className="button"
              >
                Worst rows
              </Link>
            </p>
          )}
        </>
      )}
    </article>
  )
}

/** Renders the interval of a score that no single row has, such as corpus BLEU. */
function ScoreOfAllRows({ score, unit }: { readonly score: Score; readonly unit: ScoreUnit }): ReactElement {
  const interval = scoreInterval(score)
  return (
    <p className="soft">
      {interval === null ? null : `${formatScore(interval.low)} to ${formatWithUnit(interval.high, unit)}. `}
      Over all rows together.
    </p>
  )
}

interface ScoreStatisticsProps {
  readonly stats: NonNullable<Score["stats"]>
  readonly unit: ScoreUnit
}

/** Renders the interval, the four counts and the distribution of a score. */
function ScoreStatistics({ stats, unit }: ScoreStatisticsProps): ReactElement {
  return (
    <>
      <Markup of={intervalPlot(stats, null, { unit })} />
      <p className="counts">
        <span>{formatInteger(stats.scored)} scored</span>
        <span>{formatInteger(stats.unreadable)} unreadable</span>
        <span>{formatInteger(stats.errored)} failed</span>
        <span>{formatInteger(stats.skipped)} skipped</span>
      </p>
      <details hidden={stats.scored === 0}>
        <summary>Distribution</summary>
        <Markup of={histogramPlot(stats)} />
        <table>
          <thead>
            <tr>
              <th>{titleWithUnit("From", unit)}</th>
              <th>{titleWithUnit("To", unit)}</th>
              <th className="end">Rows</th>
            </tr>
          </thead>
          <tbody>
            {stats.histogram.bins.map(({ lower_bound, upper_bound, count }) => (
              <tr key={lower_bound}>
                <td>{formatScore(lower_bound)}</td>
                <td>{formatScore(upper_bound)}</td>
                <td className="end">{formatInteger(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
