import { formatInteger } from "@assay/reports"
import type { EvaluationJob, JobShard } from "@assay/schemas"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import type { Column } from "../../../table/column.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { usePagedRows } from "../../../table/use-paged-rows.ts"
import { hasEnded } from "../jobs/job-status.tsx"

/** Shows the shards of a job: their states, who runs them, their rows and what their processes wrote, also while it runs. */
export function ShardsTab({ job }: { readonly job: EvaluationJob }): ReactElement {
  const client = useClient()
  const [search, update] = useTableSearch()
  const rows = usePagedRows<JobShard>({
    queryKey: ["jobs", job.id, "shards"],
    fetchPage: async (offset, limit, signal) => {
      const page = await client.evaluation.jobs.shards(job.id, { offset, limit }, { signal })
      return { rows: page.data, total: page.total }
    },
  })
  return (
    <DataTable
      label="Shards"
      counted={["shard", "shards"]}
      columns={[...COLUMNS, logColumn(job.id)]}
      rows={rows}
      search={search}
      onSearch={update}
      rowClass={({ state }) => (state === "failed" || state === "stopped" ? "faulty" : undefined)}
      empty={
        <EmptyState title={hasEnded(job.status) ? "The job ran as a whole" : "The job is not cut into shards so far"}>
          <p>A large job is cut into shards: parts of its rows that several workers ask at the same time.</p>
        </EmptyState>
      }
    />
  )
}

/** The columns of a listing of shards, without their logs. */
const COLUMNS: readonly Column<JobShard>[] = [
  {
    id: "shard",
    title: "Shard",
    width: "5rem",
    align: "end",
    render: ({ index }) => index,
    text: ({ index }) => index,
  },
  {
    id: "state",
    title: "State",
    width: "minmax(9rem, 1fr)",
    render: ({ state, reason }) => (reason === null ? state : `${state} (${reason})`),
    text: ({ state }) => state,
  },
  {
    id: "location",
    title: "Location",
    width: "minmax(10rem, 2fr)",
    render: ({ location }) => <span title={location ?? ""}>{location ?? "–"}</span>,
    text: ({ location }) => location,
  },
  {
    id: "rows",
    title: "Rows",
    width: "10rem",
    align: "end",
    render: ({ processed, rows }) => `${formatInteger(processed)} of ${formatInteger(rows)}`,
    text: ({ processed }) => processed,
  },
  {
    id: "failed",
    title: "Failed",
    width: "6rem",
    align: "end",
    render: ({ failed }) => formatInteger(failed),
    text: ({ failed }) => failed,
  },
  {
    id: "message",
    title: "Failure",
    width: "minmax(10rem, 3fr)",
    render: ({ message }) => <span title={message ?? ""}>{message}</span>,
    text: ({ message }) => message,
  },
]

function logColumn(id: string): Column<JobShard> {
  return {
    id: "log",
    title: "Log",
    width: "5rem",
    render: ({ index }) => (
      <a
        href={`/v1/evaluation/jobs/${encodeURIComponent(id)}/shards/${index}/log`}
        target="_blank"
        rel="noreferrer"
        aria-label={`Log of shard ${index}`}
      >
        Log
      </a>
    ),
    text: () => null,
  }
}
