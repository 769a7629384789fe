import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { Tabs } from "../../../components/tabs.tsx"
import { Time } from "../../../components/times/time.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { nameOfJob, nameOfTarget } from "../jobs/job-names.ts"
import { hasEnded, JobState } from "../jobs/job-status.tsx"
import { LabelsTab } from "../labels/labels-tab.tsx"
import { RowsTab } from "../rows/rows-tab.tsx"
import { DefinitionTab } from "./definition-tab.tsx"
import { JobActions } from "./job-actions.tsx"
import "./job.css"
import { LogTab } from "./log-tab.tsx"
import { OverviewTab } from "./overview-tab.tsx"
import { ShardsTab } from "./shards-tab.tsx"
import { useEndNotice } from "./use-end-notice.ts"
import { useJobEvents } from "./use-job-events.ts"

const TABS = {
  overview: "Overview",
  rows: "Rows",
  labels: "Labels",
  shards: "Shards",
  log: "Log",
  definition: "Definition",
} as const
type Tab = keyof typeof TABS

/** Shows one job: how far it is, what went wrong and how to go on, its scores and its rows. */
export function JobPage(): ReactElement {
  const client = useClient()
  const { id = "" } = useParams({ strict: false })
  const [tab = "overview"] = useSearchValue("tab")
  const { data: job, error } = useQuery({
    queryKey: ["jobs", id],
    queryFn: ({ signal }) => client.evaluation.jobs.get(id, { signal }),
  })
  const isRunning = job !== undefined && !hasEnded(job.status)
  const live = useJobEvents(id, isRunning)
  useEndNotice(job)
  const current: Tab = Object.hasOwn(TABS, tab) ? (tab as Tab) : "overview"
  return (
    <>
      <PageHeader
        help="concepts/life-of-a-job"
        title={job === undefined ? id : nameOfJob(job)}
        above={<Link to="/jobs">Jobs</Link>}
        actions={job === undefined ? undefined : <JobActions job={job} />}
      >
        {job === undefined ? null : (
          <>
            <JobState job={job} />
            <span>{job.namespace}</span>
            <span dir="auto">{nameOfTarget(job)}</span>
            <span>
              launched <Time at={job.created_at} />
            </span>
            <span className="mono">{id}</span>
            {job.rescored_from === undefined ? null : (
              <span>
                scores the outputs of{" "}
                <Link to="/jobs/$id" params={{ id: job.rescored_from }} className="mono">
                  {job.rescored_from}
                </Link>
              </span>
            )}
          </>
        )}
      </PageHeader>
      {error === null ? null : <ErrorCard error={error} />}
      {job === undefined && error === null ? <Loading /> : null}
      {job === undefined ? null : (
        <>
          <Tabs label="Parts of the job" tabs={TABS} current={current} />
          {current === "overview" ? <OverviewTab job={job} live={live} /> : null}
          {current === "rows" ? <RowsTab job={job} /> : null}
          {current === "labels" ? <LabelsTab job={job} /> : null}
          {current === "shards" ? <ShardsTab job={job} /> : null}
          {current === "log" ? <LogTab id={id} isRunning={isRunning} /> : null}
          {current === "definition" ? <DefinitionTab job={job} /> : null}
        </>
      )}
    </>
  )
}
