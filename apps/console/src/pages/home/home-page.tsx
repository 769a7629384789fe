import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../api/use-client.ts"
import { useRights } from "../../api/use-session.ts"
import { ErrorCard } from "../../components/failures/error-card.tsx"
import { Loading } from "../../components/loading.tsx"
import { PageHeader } from "../../components/page-header.tsx"
import { FirstSteps } from "./first-steps.tsx"
import { RunningJob, TroubledJob } from "./job-cards.tsx"
import { RecentFilesets } from "./recent-filesets.tsx"
import { RecentJobs } from "./recent-jobs.tsx"
import { useHomeJobs } from "./use-home-jobs.ts"
import "./home.css"

const MAX_TROUBLED = 6
/** A server with fewer jobs than these is new: what to try first stays open after the first try. */
const NEW_JOBS = 4
/** Jobs keep their results and the rows of their files in filesets of these names, which the pages of the jobs show. */
const NOT_OF_JOBS = '-name~"evaluation-eval-" AND -name~"eval-inputs-"'
const MAX_RECENT = 8

const LAUNCH = (
  <Link to="/launch" className="button primary">
    Launch a job
  </Link>
)

/** Shows running jobs, jobs that need attention, and the newest jobs and filesets. An empty server shows first steps. */
export function HomePage(): ReactElement {
  const client = useClient()
  const { mayEdit } = useRights()
  const jobs = useHomeJobs()
  const filesets = useQuery({
    queryKey: ["filesets", "recent"],
    queryFn: ({ signal }) =>
      client.filesets.page("-", { sort: "-created_at", page_size: 8, filter: NOT_OF_JOBS }, { signal }),
  })
  const recent = filesets.data?.data ?? []
  const error = jobs.error ?? filesets.error
  const isRead = !jobs.isPending && !filesets.isPending && error === null
  const isNew = isRead && jobs.total < NEW_JOBS
  const troubled = jobs.troubled.slice(0, MAX_TROUBLED)
  const ended = jobs.ended.slice(0, MAX_RECENT)
  return (
    <>
      <PageHeader title="Home" help="guides/console" actions={mayEdit() ? LAUNCH : undefined} />
      {error === null ? null : <ErrorCard error={error} />}
      {isRead || error !== null ? null : <Loading />}
      {jobs.running.length === 0 ? null : (
        <section aria-label="Running jobs">
          <h2>Running</h2>
          <ul className="cards plain">
            {jobs.running.map((job) => (
              <RunningJob key={job.id} job={job} />
            ))}
          </ul>
        </section>
      )}
      {troubled.length === 0 ? null : (
        <section aria-label="Jobs that need attention">
          <h2>Needs attention</h2>
          <ul className="cards plain">
            {troubled.map((job) => (
              <TroubledJob key={job.id} job={job} />
            ))}
          </ul>
        </section>
      )}
      {ended.length === 0 ? null : (
        <section aria-label="Recent jobs">
          <h2>Recent jobs</h2>
          <RecentJobs jobs={ended} />
          <Link to="/jobs">All jobs</Link>
        </section>
      )}
      {isRead && mayEdit("default") ? <FirstSteps isOpen={isNew} /> : null}
      {recent.length === 0 ? null : (
        <section aria-label="Recent filesets">
          <h2>Recent filesets</h2>
          <RecentFilesets filesets={recent} />
          <Link to="/filesets">All filesets</Link>
        </section>
      )}
    </>
  )
}
