import { formatInteger } from "@assay/reports"
import { Link, useNavigate } from "@tanstack/react-router"
import { useMemo, useState, type ReactElement } from "react"
import { useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useNow } from "../../../components/times/use-now.ts"
import { useIsNarrow } from "../../../components/use-is-narrow.ts"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { ChoiceFilter, namedChoices } from "../../../table/choice-filter.tsx"
import { DataTable } from "../../../table/data-table.tsx"
import { useHeldRows } from "../../../table/row-source.ts"
import { useTableSearch } from "../../../table/table-search.ts"
import { TextFilter } from "../../../table/text-filter.tsx"
import { jobColumns } from "./job-columns.tsx"
import { findJobs, scoreNames, sortJobs } from "./list-facts.ts"
import "./jobs.css"
import { SelectedJobs } from "./selected-jobs.tsx"
import { MAX_JOBS, useJobs } from "./use-jobs.ts"

const STATUSES = namedChoices(["PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"])
/** Pixels of a page on which all columns have room. */
const WIDE = 1700
/** Milliseconds after which durations of running jobs are sorted again. */
const SORTED_MS = 30_000

const LAUNCH = (
  <Link to="/launch" className="button primary">
    Launch a job
  </Link>
)

/** Lists evaluation jobs, the newest first. Those that run are kept up to date. */
export function JobsPage(): ReactElement {
  const navigate = useNavigate()
  const { mayEdit } = useRights()
  const isWide = !useIsNarrow(WIDE)
  const [search, update] = useTableSearch()
  const [status, setStatus] = useSearchValue("status")
  const { sort = "-created_at", q = "" } = search
  const { jobs, total, isLoading, error } = useJobs(status)
  const now = useNow(SORTED_MS)
  const shown = useMemo(() => sortJobs(findJobs(jobs, q), sort, now), [jobs, q, sort, now])
  const rows = useHeldRows(shown, { isLoading, error })
  const { selected, toggle, clear } = useSelection()
  const scores = useMemo(() => scoreNames(jobs), [jobs])
  const workspaces = useMemo(() => new Set(jobs.map(({ namespace }) => namespace)).size, [jobs])
  const columns = jobColumns({ jobs, scores, workspaces, isWide, selected, onSelect: toggle })
  return (
    <>
      <PageHeader
        help="guides/evaluation#from-a-launch-to-a-result"
        title="Jobs"
        actions={mayEdit() ? LAUNCH : undefined}
      >
        Evaluations of models, outputs and judges.
      </PageHeader>
      {total > MAX_JOBS ? (
        <p className="soft">
          The newest {formatInteger(MAX_JOBS)} of {formatInteger(total)} jobs are listed, searched and sorted.
        </p>
      ) : null}
      <SelectedJobs jobs={jobs.filter(({ id }) => selected.has(id))} columns={columns} onClear={clear} />
      <DataTable
        label="Jobs"
        columns={columns}
        rows={rows}
        search={{ ...search, sort }}
        onSearch={update}
        onOpen={({ id }) => void navigate({ to: "/jobs/$id", params: { id } })}
        keys={{ x: (job) => (job === undefined ? undefined : toggle(job.id)) }}
        rowKey={({ id }) => id}
        counted={["job", "jobs"]}
        filter={
          <>
            <TextFilter
              label="Find jobs"
              placeholder="Description, tag, model, configuration, dataset or id"
              search={search}
              onSearch={update}
            />
            <ChoiceFilter label="Status" none="any status" choices={STATUSES} value={status} onChoose={setStatus} />
          </>
        }
        empty={<NoJobs isFiltered={q !== "" || status !== undefined} />}
      />
    </>
  )
}

/** Returns the selected jobs by id, and what changes them. */
function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => {
    setSelected((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }
  return { selected, toggle, clear: () => setSelected(new Set()) }
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
