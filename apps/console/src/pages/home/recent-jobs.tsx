import { formatInteger, formatScore } from "@assay/reports"
import type { EvaluationJob } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { Time } from "../../components/times/time.tsx"
import { nameOfJob, nameOfTarget } from "../evaluation/jobs/job-names.ts"
import { JobVerdictBadge } from "../evaluation/jobs/job-status.tsx"

/** Renders the newest jobs that have ended, with their verdict and first score. */
export function RecentJobs({ jobs }: { readonly jobs: readonly EvaluationJob[] }): ReactElement {
  return (
    <div className="card">
      <table className="figures recent recent-jobs">
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Verdict</th>
            <th scope="col">Score</th>
            <th scope="col" className="wide end">
              Rows
            </th>
            <th scope="col" className="wide">
              Model
            </th>
            <th scope="col" className="wide">
              Ended
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id}>
              <td className="name">
                <Link to="/jobs/$id" params={{ id: job.id }} dir="auto">
                  {nameOfJob(job)}
                </Link>
              </td>
              <td>
                <JobVerdictBadge job={job} />
              </td>
              <td>
                <FirstScore job={job} />
              </td>
              <td className="wide end">{formatInteger(job.status_details.samples_processed ?? 0)}</td>
              <td className="wide cut" dir="auto" title={nameOfTarget(job)}>
                {nameOfTarget(job)}
              </td>
              <td className="wide">
                <Time at={job.finished_at ?? job.updated_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function FirstScore({ job: { status_details } }: { readonly job: EvaluationJob }): ReactElement | null {
  const [first] = Object.entries(status_details.means ?? {})
  if (first === undefined) return null
  const [name, value] = first
  return (
    <span title={name}>
      {formatScore(value)} <span className="soft wide">{name.split(".").slice(1, -1).join(".") || name}</span>
    </span>
  )
}
