import type { EvaluationJob, ListingSort } from "@assay/schemas"
import { Link, useNavigate } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { FilterBox } from "../../../table/filter-box.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { usePagedRows } from "../../../table/use-paged-rows.ts"
import { JOB_COLUMNS } from "./job-columns.tsx"

const STATUSES = ["PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"] as const
const RUNNING_MS = 3000

/** Lists evaluation jobs, the newest first. Those that run are kept up to date. */
export function JobsPage(): ReactElement {
  const client = useClient()
  const navigate = useNavigate()
  const { mayEdit } = useRights()
  const [search, update] = useTableSearch()
  const [status, setStatus] = useSearchValue("status")
  const { sort = "-created_at", q } = search
  const rows = usePagedRows<EvaluationJob>({
    queryKey: ["jobs", sort, q, status],
    refetchInterval: RUNNING_MS,
    fetchPage: async (offset, limit, signal) => {
      const query = {
        sort: sort as ListingSort,
        page: offset / limit + 1,
        page_size: limit,
        ...(status === undefined ? {} : { filter: { status } }),
        ...(q === undefined ? {} : { search: { description: q } }),
      }
      const { data, pagination } = await client.evaluation.jobs.page(query, { signal })
      return { rows: data, total: pagination.total_results }
    },
  })
  const isFiltered = q !== undefined || status !== undefined
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
            <FilterBox
              label="Find jobs"
              placeholder="Part of a description"
              value={q}
              onChange={(text) => update({ q: text, at: undefined })}
            />
            <select
              aria-label="Status"
              value={status ?? ""}
              onChange={({ target }) => setStatus(target.value === "" ? undefined : target.value)}
            >
              <option value="">any status</option>
              {STATUSES.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </>
        }
        empty={
          isFiltered ? (
            <EmptyState title="No job matches" />
          ) : (
            <EmptyState title="No jobs yet" command="assay eval launch examples/evaluation/capitals.yaml">
              <p>
                <Link to="/launch">Launch one here</Link>, or from a terminal:
              </p>
            </EmptyState>
          )
        }
      />
    </>
  )
}
