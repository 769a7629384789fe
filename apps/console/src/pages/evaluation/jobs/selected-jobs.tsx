import { formatCount } from "@assay/reports"
import type { EvaluationJob } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useRights } from "../../../api/use-session.ts"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import type { Column } from "../../../table/column.ts"
import { ExportJobs } from "./export-jobs.tsx"
import { nameOfJob } from "./job-names.ts"
import { TagJobs } from "./tag-jobs.tsx"
import { hasEnded } from "./job-status.tsx"
import { useRemoveJobs } from "./use-remove-jobs.ts"

export interface SelectedJobsProps {
  readonly jobs: readonly EvaluationJob[]
  /** The columns of an export. */
  readonly columns: readonly Column<EvaluationJob>[]
  readonly onClear: () => void
}

/** Names that a question lists. */
const MAX_NAMED = 10

/** Jobs that are compared with the oldest one. */
const MAX_COMPARED = 8

/** Renders what can be done with several jobs: compare them with the oldest, tag, export and delete them. */
export function SelectedJobs({ jobs, columns, onClear }: SelectedJobsProps): ReactElement | null {
  const removeJobs = useRemoveJobs()
  const { mayEdit } = useRights()
  if (jobs.length === 0) return null
  const byAge = jobs.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  const [first, ...others] = byAge
  const isComparable = others.length > 0 && others.length <= MAX_COMPARED && jobs.every(({ result }) => result !== null)
  const taggable = jobs.filter(({ namespace }) => mayEdit(namespace))
  const deletable = jobs.filter((job) => hasEnded(job.status) && mayEdit(job.namespace))
  const remove = async () => {
    await removeJobs(deletable)
    onClear()
  }
  return (
    <p className="actions selected-jobs" role="status">
      <b>{formatCount(jobs.length, "job")} selected</b>
      {isComparable && first !== undefined ? (
        <Link to="/compare" search={{ a: first.id, b: others.map(({ id }) => id).join(",") }} className="button">
          Compare
        </Link>
      ) : (
        <span className="soft">Two to {MAX_COMPARED + 1} finished jobs can be compared.</span>
      )}
      {taggable.length === 0 ? null : <TagJobs jobs={taggable} />}
      <ExportJobs jobs={byAge} columns={columns} />
      {deletable.length === 0 ? null : (
        <ConfirmButton
          label={`Delete ${deletable.length === jobs.length ? "" : `${deletable.length} of them`}`.trim()}
          title={`Delete ${formatCount(deletable.length, "job")}?`}
          onConfirm={remove}
        >
          <ul>
            {deletable.slice(0, MAX_NAMED).map((job) => (
              <li key={job.id}>{nameOfJob(job)}</li>
            ))}
            {deletable.length > MAX_NAMED ? <li>and {deletable.length - MAX_NAMED} more</li> : null}
          </ul>
          <p>
            The jobs, their rows and their results are removed for everybody. They can be restored from the trash, if
            this server keeps one.
          </p>
        </ConfirmButton>
      )}
      <button type="button" className="quiet" onClick={onClear}>
        Clear
      </button>
    </p>
  )
}
