import type { EvaluationJob, ScoredRow } from "@assay/schemas"
import type { RowFilters } from "@assay/client"
import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { ChoiceFilter, namedChoices } from "../../../table/choice-filter.tsx"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { TextFilter } from "../../../table/text-filter.tsx"
import { usePagedRows } from "../../../table/use-paged-rows.ts"
import { hasEnded } from "../jobs/job-status.tsx"
import "./beside-row.css"
import { RowAttemptsPanel } from "./row-attempts-panel.tsx"
import { scoredRowColumns } from "./scored-row-columns.tsx"

const RUNNING_MS = 3000
const SHOWN = { all: "all rows", failed: "failed rows", answered: "answered rows" } as const

/** Shows the rows of a job with their scores, in any order, also while it runs. A row opens beside the table. */
export function RowsTab({ job }: { readonly job: EvaluationJob }): ReactElement {
  const [search, update] = useTableSearch()
  const { rows, scores, sort, isFiltered } = useScoredRows(job)
  const tasks = Object.keys(job.config.tasks ?? {})
  const chosen = search.at === undefined ? undefined : rows.get(search.at)
  return (
    <div className={chosen === undefined ? undefined : "beside-row"}>
      <DataTable
        label="Rows"
        columns={scoredRowColumns(scores, tasks.length > 1)}
        rows={rows}
        search={{ ...search, sort }}
        onSearch={update}
        onOpen={(_row, index) => update({ at: index })}
        keys={{ Escape: () => update({ at: undefined }) }}
        rowClass={({ error }) => (error === null ? undefined : "faulty")}
        filter={<ScoredRowFilters tasks={tasks} />}
        empty={<EmptyState title={isFiltered ? "No row matches" : "No row has an answer yet"} />}
      />
      {chosen === undefined ? null : (
        <RowAttemptsPanel id={job.id} row={chosen} onClose={() => update({ at: undefined })} />
      )}
    </div>
  )
}

/** Returns the rows of a job that the address chooses, in its order, and the names of their scores. */
function useScoredRows(job: EvaluationJob) {
  const client = useClient()
  const [{ sort = "index", q }] = useTableSearch()
  const [task] = useSearchValue("task")
  const [shown] = useSearchValue("shown")
  const [condition] = useSearchValue("condition")
  const filter: RowFilters = {
    ...(shown === "failed" ? { error: { $nin: "null" } } : {}),
    ...(shown === "answered" ? { error: { $eq: "null" } } : {}),
    ...(condition === undefined ? {} : { condition: { $eq: condition } }),
    ...(q === undefined ? {} : { text: { $like: q } }),
  }
  const ofTask = task === undefined ? {} : { task }
  const query = { sort, filter, ...ofTask }
  const refetchInterval = hasEnded(job.status) ? false : RUNNING_MS
  const rows = usePagedRows<ScoredRow>({
    queryKey: ["jobs", job.id, "rows", query],
    refetchInterval,
    fetchPage: async (offset, limit, signal) => {
      const page = await client.evaluation.jobs.rows(job.id, { ...query, offset, limit }, { signal })
      return { rows: page.data, total: page.matched }
    },
  })
  const names = useQuery({
    queryKey: ["jobs", job.id, "rows", "scores", task],
    queryFn: ({ signal }) => client.evaluation.jobs.rows(job.id, { limit: 1, ...ofTask }, { signal }),
    refetchInterval,
  })
  return { rows, scores: names.data?.scores ?? [], sort, isFiltered: Object.keys(filter).length > 0 }
}

/** Renders the filters of the rows: a text, a task, whether they failed, a condition. */
function ScoredRowFilters({ tasks }: { readonly tasks: readonly string[] }): ReactElement {
  const [search, update] = useTableSearch()
  const [task, setTask] = useSearchValue("task")
  const [shown, setShown] = useSearchValue("shown")
  const [condition, setCondition] = useSearchValue("condition")
  return (
    <>
      <TextFilter label="Find rows" placeholder="Text in the item or the output" search={search} onSearch={update} />
      {tasks.length > 1 ? (
        <ChoiceFilter label="Task" none="all tasks" choices={namedChoices(tasks)} value={task} onChoose={setTask} />
      ) : null}
      <ChoiceFilter label="Which rows" choices={SHOWN} value={shown ?? "all"} onChoose={setShown} />
      {condition === undefined ? null : (
        <button type="button" className="quiet" onClick={() => setCondition(undefined)}>
          {condition} ✕
        </button>
      )}
    </>
  )
}
