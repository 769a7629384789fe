import { formatInteger } from "@assay/reports"
import type { EvaluationJob } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { Badge } from "../../components/badge.tsx"
import { CodeLink } from "../../components/failures/code-link.tsx"
import { ProgressBar } from "../../components/progress-bar.tsx"
import { Time } from "../../components/times/time.tsx"
import { nameOfJob } from "../evaluation/jobs/job-names.ts"

/** Renders a job that has not ended, with what is done so far. */
export function RunningJob({ job }: { readonly job: EvaluationJob }): ReactElement {
  const { samples_processed = 0, samples_total = null, progress } = job.status_details
  return (
    <li className="card job-card">
      <header>
        <JobLink job={job} />
        <Badge text={job.status.toLowerCase()} tone="RUNNING" />
      </header>
      <ProgressBar percent={job.status === "PENDING" ? 0 : progress} label={`Progress of ${nameOfJob(job)}`} />
      <p className="soft">
        {formatInteger(samples_processed)}
        {samples_total === null ? " rows" : ` of ${formatInteger(samples_total)} rows`} · launched{" "}
        <Time at={job.created_at} />
      </p>
    </li>
  )
}

/** Renders a job that met conditions, with the first ones and what to do. */
export function TroubledJob({ job }: { readonly job: EvaluationJob }): ReactElement {
  const isFailed = job.status === "FAILED"
  const [first, ...others] = job.conditions
  return (
    <li className={`card job-card condition ${isFailed ? "FAIL" : "INCONCLUSIVE"}`}>
      <header>
        <JobLink job={job} />
        <Badge text={job.status.toLowerCase()} tone={isFailed ? "FAIL" : "INCONCLUSIVE"} />
      </header>
      <p>
        {first === undefined ? (
          <span dir="auto">{job.status_details.message}</span>
        ) : (
          <>
            <b>{first.title}</b> <CodeLink code={first.code} page="conditions" />{" "}
            <span className="soft">{formatInteger(first.count)}×</span>
          </>
        )}
        {others.length === 0 ? null : <span className="soft"> and {others.length} more</span>}
      </p>
      <p className="soft">
        ended <Time at={job.finished_at ?? job.updated_at} />
      </p>
    </li>
  )
}

function JobLink({ job }: { readonly job: EvaluationJob }): ReactElement {
  return (
    <Link to={`/jobs/${encodeURIComponent(job.id)}`} dir="auto">
      {nameOfJob(job)}
    </Link>
  )
}
