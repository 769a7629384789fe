import { formatCsv } from "@assay/reports"
import type { EvaluationJob } from "@assay/schemas"
import type { ReactElement } from "react"
import { Menu } from "../../../components/menu.tsx"
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
      <button type="button" className="quiet" onClick={() => download("jobs.csv", "text/csv", csv())}>
        As CSV
      </button>
      <button
        type="button"
        className="quiet"
        onClick={() => download("jobs.json", "application/json", `${JSON.stringify(jobs, null, 2)}\n`)}
      >
        As JSON
      </button>
    </Menu>
  )
}

/** Lets the browser save a text as a file. */
function download(name: string, type: string, text: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
