import type { EvaluationJob, ListingSort } from "@assay/schemas"
import { Link, useNavigate } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { ChoiceFilter, namedChoices } from "../../../table/choice-filter.tsx"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { TextFilter } from "../../../table/text-filter.tsx"
import { useRecordRows } from "../../../table/use-record-rows.ts"
import { JOB_COLUMNS } from "./job-columns.tsx"

const STATUSES = namedChoices(["PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"])
const RUNNING_MS = 3000

/** Lists evaluation jobs, the newest first. Those that run are kept up to date. */
export function JobsPage(): ReactElement {
  const client = useClient()
  const navigate = useNavigate()
  const { mayEdit } = useRights()
  const [search, update] = useTableSearch()
  const [status, setStatus] = useSearchValue("status")
  const { sort = "-created_at", q } = search
  const rows = useRecordRows<EvaluationJob>({
    queryKey: ["jobs", sort, q, status],
    refetchInterval: RUNNING_MS,
    fetchRecords: (page, call) => {
      const query = {
        ...page,
        sort: sort as ListingSort,
        ...(status === undefined ? {} : { filter: { status } }),
        ...(q === undefined ? {} : { search: { description: q } }),
      }
      return client.evaluation.jobs.page(query, call)
    },
  })
  return (
    <>
      <PageHeader
        title="Jobs"
        actions={
          mayEdit() ? (
            <Link to="/launch" className="button primary">
              Launch a job
            </Link>
          ) : undefined
        }
      >
        Evaluations of models, outputs and judges.
      </PageHeader>
      <DataTable
        label="Jobs"
        columns={JOB_COLUMNS}
        rows={rows}
        search={{ ...search, sort }}
        onSearch={update}
        onOpen={({ id }) => void navigate({ to: "/jobs/$id", params: { id } })}
        filter={
          <>
            <TextFilter label="Find jobs" placeholder="Part of a description" search={search} onSearch={update} />
            <ChoiceFilter label="Status" none="any status" choices={STATUSES} value={status} onChoose={setStatus} />
          </>
        }
        empty={<NoJobs isFiltered={q !== undefined || status !== undefined} />}
      />
    </>
  )
}

function NoJobs({ isFiltered }: { readonly isFiltered: boolean }): ReactElement {
  return isFiltered ? (
    <EmptyState title="No job matches" />
  ) : (
    <EmptyState title="No jobs yet" command="assay eval launch examples/evaluation/capitals.yaml">
      <p>
        <Link to="/launch">Launch one here</Link>, or from a terminal:
      </p>
    </EmptyState>
  )
}
