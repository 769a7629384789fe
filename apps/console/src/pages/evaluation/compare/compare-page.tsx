import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { BaselineProposals } from "./baseline-proposals.tsx"
import "./compare.css"
import { ComparedJobs } from "./compared-jobs.tsx"
import { ComparisonView } from "./comparison-view.tsx"
import { useComparedJobs } from "./use-compared-jobs.ts"

/** Compares finished jobs with a baseline, row by row: are they worse, better, or is that not known yet? */
export function ComparePage(): ReactElement {
  const client = useClient()
  const choice = useComparedJobs()
  const { a, jobs, margin, setA } = choice
  const [first] = jobs
  const choose = (id: string) => {
    setA(id)
    // The chosen button goes away, and the focus with it.
    document.querySelector("main")?.focus({ preventScroll: true })
  }
  const ids = a === undefined ? [] : [a, ...jobs]
  const comparison = useQuery({
    queryKey: ["jobs", "compare", ids, margin.value],
    queryFn: ({ signal }) => client.evaluation.compare(ids, { margin: margin.value, signal }),
    enabled: ids.length > 1 && margin.isValid,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isChosen = ids.length > 1
  return (
    <>
      <PageHeader help="guides/baselines#what-it-guarantees" title="Compare">
        Jobs over the same rows against a baseline, with paired intervals.
      </PageHeader>
      <ComparedJobs choice={choice} />
      {comparison.error === null ? null : <ErrorCard error={comparison.error} />}
      {comparison.isFetching && comparison.data === undefined ? <Loading what="Comparing row by row" /> : null}
      {a === undefined && first !== undefined ? <BaselineProposals job={first} onChoose={choose} /> : null}
      {first === undefined ? (
        <EmptyState
          title={a === undefined ? "Choose two jobs" : "Choose the job to compare"}
          command={`assay eval compare ${a ?? "BASELINE"} JOB`}
        >
          <p>All have to be completed. They are compared over the rows that both answered.</p>
        </EmptyState>
      ) : null}
      {comparison.data === undefined || !isChosen ? null : <ComparisonView comparison={comparison.data} />}
    </>
  )
}
