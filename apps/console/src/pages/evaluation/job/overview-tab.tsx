import { formatCost, formatDuration, formatInteger } from "@assay/reports"
import type { EvaluationJob } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { useNow } from "../../../components/times/use-now.ts"
import { ProgressBar } from "../../../components/progress-bar.tsx"
import { durationOf } from "../jobs/job-names.ts"
import { hasEnded } from "../jobs/job-status.tsx"
import { CorrectedScores } from "../results/corrected-scores.tsx"
import { JobGates } from "../results/job-gates.tsx"
import { LiveScores } from "../results/live-scores.tsx"
import { ScoreCards } from "../results/score-cards.tsx"
import { ScoreSlicesShown } from "../results/score-slices.tsx"
import { JobConditions } from "./job-conditions.tsx"
import { rateOf, type LiveJob } from "./live-job.ts"

/** Shows how far a job is, its conditions with their remedies, and its scores. */
export function OverviewTab({ job, live }: { readonly job: EvaluationJob; readonly live: LiveJob }): ReactElement {
  const client = useClient()
  const isOver = hasEnded(job.status)
  const result = useQuery({
    queryKey: ["jobs", job.id, "result", job.updated_at],
    queryFn: ({ signal }) => client.evaluation.jobs.result(job.id, { signal }),
    enabled: isOver && job.result !== null,
  })
  return (
    <>
      <JobProgress job={job} live={live} />
      <JobConditions job={job} />
      <JobGates config={job.config} gates={(isOver ? undefined : live.gates) ?? job.status_details.gates ?? []} />
      {isOver ? null : <LiveScores job={job} means={Object.keys(live.means)} />}
      {result.data === undefined ? null : (
        <>
          <ScoreCards job={job} result={result.data} />
          <CorrectedScores result={result.data} />
          <ScoreSlicesShown job={job} result={result.data} />
        </>
      )}
      {isOver && job.result === null && job.conditions.length === 0 ? (
        <EmptyState title="This job has no results">
          <p>{job.status_details.message}</p>
        </EmptyState>
      ) : null}
    </>
  )
}

function JobProgress({ job, live }: { readonly job: EvaluationJob; readonly live: LiveJob }): ReactElement {
  const details = job.status_details
  const isOver = hasEnded(job.status)
  const processed = isOver ? (details.samples_processed ?? 0) : Math.max(live.processed, details.samples_processed ?? 0)
  const total = live.total ?? details.samples_total ?? null
  const failed = isOver ? (details.samples_failed ?? 0) : Math.max(live.failed, details.samples_failed ?? 0)
  const rate = rateOf(live)
  const left = rate === undefined || rate <= 0 || total === null ? undefined : ((total - processed) / rate) * 1000
  const tokens = live.tokens ?? details.tokens
  const cost = live.cost ?? details.cost
  const duration = durationOf(job, useNow())
  return (
    <section className="card progress-card" aria-label="Progress">
      {isOver ? null : (
        <ProgressBar
          percent={total === null || total === 0 ? null : (processed / total) * 100}
          label="Rows that are done"
        />
      )}
      <dl className="figures">
        <Figure
          name="Rows"
          value={total === null ? formatInteger(processed) : `${formatInteger(processed)} of ${formatInteger(total)}`}
        />
        <Figure name="Failed" value={formatInteger(failed)} />
        {rate === undefined || isOver ? null : <Figure name="Rows a second" value={rate.toFixed(rate < 10 ? 1 : 0)} />}
        {left === undefined || isOver ? null : <Figure name="Time left" value={formatDuration(left)} />}
        {duration === undefined ? null : (
          <Figure name={isOver ? "Took" : "Running for"} value={formatDuration(duration)} />
        )}
        {tokens === undefined ? null : (
          <Figure
            name="Tokens in / out, without judges"
            value={`${formatTokens(tokens.prompt)} / ${formatTokens(tokens.completion)}`}
          />
        )}
        {cost === undefined ? null : (
          <Figure
            name={cost === null ? "Cost: no price, or tokens that are not counted" : "Cost without judges"}
            value={cost === null ? "unknown" : formatCost(cost.amount, cost.currency)}
          />
        )}
      </dl>
      {details.message === `${formatInteger(processed)} rows done.` || isInCondition(job) ? null : (
        <p className="soft" dir="auto">
          {messageBeside(job)}
        </p>
      )}
    </section>
  )
}

/** Whether a condition, which is shown below with its remedy, says the same as the message of the job. */
function isInCondition({ conditions, status_details: { message } }: EvaluationJob): boolean {
  return conditions.some((condition) => condition.message.endsWith(message))
}

/** Returns the message of a job without the cause, if a condition that is shown below says it with its remedy. */
function messageBeside({ conditions, status_details: { message } }: EvaluationJob): string {
  const code = conditions.find((condition) => message.includes(`${condition.code}: `))?.code
  return code === undefined ? message : `${message.slice(0, message.indexOf(`${code}: `) + code.length)}.`
}

function formatTokens(count: number | null): string {
  return count === null ? "unknown" : formatInteger(count)
}

function Figure({ name, value }: { readonly name: string; readonly value: string }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
