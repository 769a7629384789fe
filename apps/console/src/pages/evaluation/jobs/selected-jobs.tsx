import { formatCount } from "@assay/reports"
import type { EvaluationJob } from "@assay/schemas"
import { useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { CopyButton } from "../../../components/copy-button.tsx"
import { nameOfJob } from "./job-names.ts"
import { hasEnded } from "./job-status.tsx"

export interface SelectedJobsProps {
  readonly jobs: readonly EvaluationJob[]
  readonly onClear: () => void
}

/** Names that a question lists. */
const MAX_NAMED = 10

/** Renders what can be done with several jobs: compare two, copy them as JSON, delete them. */
export function SelectedJobs({ jobs, onClear }: SelectedJobsProps): ReactElement | null {
  const { evaluation } = useClient()
  const queries = useQueryClient()
  const { mayEdit } = useRights()
  if (jobs.length === 0) return null
  const byAge = jobs.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  const [a, b] = byAge
  const isPair = jobs.length === 2 && jobs.every(({ result }) => result !== null)
  const deletable = jobs.filter((job) => hasEnded(job.status) && mayEdit(job.namespace))
  const remove = async () => {
    try {
      for (const { id } of deletable) await evaluation.jobs.remove(id)
      onClear()
    } finally {
      // Also if one of them can't be removed: those before it are gone.
      await queries.invalidateQueries({ queryKey: ["jobs"] })
    }
  }
  return (
    <p className="actions selected-jobs" role="status">
      <b>{formatCount(jobs.length, "job")} selected</b>
      {isPair && a !== undefined && b !== undefined ? (
        <Link to="/compare" search={{ a: a.id, b: b.id }} className="button">
          Compare
        </Link>
      ) : (
        <span className="soft">Two finished jobs can be compared.</span>
      )}
      <CopyButton what="the selected jobs" label="Copy as JSON" text={() => JSON.stringify(byAge, null, 2)} />
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
          <p>The jobs, their rows and their results are removed for everybody. This can't be undone.</p>
        </ConfirmButton>
      )}
      <button type="button" className="quiet" onClick={onClear}>
        Clear
      </button>
    </p>
  )
}
