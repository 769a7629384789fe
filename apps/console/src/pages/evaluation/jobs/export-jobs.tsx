import { formatCsv } from "@assay/reports"
import type { EvaluationJob } from "@assay/schemas"
import type { ReactElement } from "react"
import { Menu } from "../../../components/menu.tsx"
import { downloadText } from "../../../documents/download-text.ts"
import type { Column } from "../../../table/column.ts"

export interface ExportJobsProps {
  readonly jobs: readonly EvaluationJob[]
  /** All columns of the listing, also those that are hidden. */
  readonly columns: readonly Column<EvaluationJob>[]
}

/** Renders the menu that downloads jobs: a table with every column, or their whole records. */
export function ExportJobs({ jobs, columns }: ExportJobsProps): ReactElement {
  const shown = columns.filter(({ id }) => id !== "select")
  const csv = () => {
    const head = ["id", ...shown.map(({ id }) => id)]
    return formatCsv([head, ...jobs.map((job) => [job.id, ...shown.map((column) => column.text(job))])])
  }
  return (
    <Menu label="Export">
      <button type="button" className="quiet" onClick={() => downloadText("jobs.csv", "text/csv", csv())}>
        As CSV
      </button>
      <button
        type="button"
        className="quiet"
        onClick={() => downloadText("jobs.json", "application/json", `${JSON.stringify(jobs, null, 2)}\n`)}
      >
        As JSON
      </button>
    </Menu>
  )
}
