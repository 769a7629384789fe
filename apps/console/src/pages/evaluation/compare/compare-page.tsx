import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { hasEnded } from "../jobs/job-status.tsx"
import { BaselineProposals } from "./baseline-proposals.tsx"
import "./compare.css"
import { ComparedJobs } from "./compared-jobs.tsx"
import { ComparisonView } from "./comparison-view.tsx"
import { useComparedJobs } from "./use-compared-jobs.ts"

/** Compares finished jobs with a baseline, row by row: are they worse, better, or is that not known yet? */
export function ComparePage(): ReactElement {
  const client = useClient()
  const { mayEdit } = useRights()
  const choice = useComparedJobs()
  const { a, jobs, margin, setA } = choice
  const [first] = jobs
  const ids = a === undefined ? [] : [a, ...jobs]
  const { isKnown, running } = useEnds(ids)
  const comparison = useQuery({
    queryKey: ["jobs", "compare", ids, margin.value],
    queryFn: ({ signal }) => client.evaluation.compare(ids, { margin: margin.value, signal }),
    enabled: ids.length > 1 && margin.isValid && isKnown && running.length === 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isChosen = ids.length > 1
  // The comparison of other jobs, or by another margin, stays where it is until the new one is there, and does not look like it.
  const isStale = comparison.isPlaceholderData
  return (
    <>
      <PageHeader help="guides/baselines#what-it-guarantees" title="Compare">
        Jobs over the same rows against a baseline, with paired intervals.
      </PageHeader>
      <ComparedJobs choice={choice} />
      {comparison.error === null ? null : <ErrorCard error={comparison.error} />}
      {comparison.isFetching && (isStale || comparison.data === undefined) ? (
        <Loading what="Comparing row by row" />
      ) : null}
      {a === undefined && first !== undefined ? <BaselineProposals job={first} onChoose={setA} /> : null}
      {first === undefined ? (
        <EmptyState
          title={a === undefined ? "Choose two jobs" : "Choose the job to compare"}
          command={`assay eval compare ${a ?? "BASELINE"} JOB`}
        >
          <p>All have to be completed. They are compared over the rows that both answered.</p>
          {mayEdit() ? (
            <p className="actions">
              <Link to="/launch" className="button">
                Launch a job
              </Link>
            </p>
          ) : null}
        </EmptyState>
      ) : null}
      {running.map(({ id, description, status }) => (
        <p key={id} className="card">
          <Link to="/jobs/$id" params={{ id }}>
            {description === "" ? id : description}
          </Link>{" "}
          is {status}. It is compared as soon as it has ended.
        </p>
      ))}
      {comparison.data === undefined || !isChosen ? null : (
        <div className={isStale ? "stale" : undefined} aria-busy={isStale} inert={isStale}>
          <ComparisonView comparison={comparison.data} />
        </div>
      )}
    </>
  )
}

/** Returns the jobs that have not ended, and whether that is known. The server compares jobs that have ended. */
function useEnds(ids: readonly string[]) {
  const client = useClient()
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ["jobs", id],
      queryFn: ({ signal }: { signal: AbortSignal }) => client.evaluation.jobs.get(id, { signal }),
      // The comparison says which job does not exist.
      retry: false,
    })),
    combine: (answers) => ({
      isKnown: answers.every(({ isPending }) => !isPending),
      running: answers.flatMap(({ data }) => (data === undefined || hasEnded(data.status) ? [] : [data])),
    }),
  })
}
