import type { EvaluationJob } from "@assay/schemas"
import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import type { ReactElement, ReactNode } from "react"
import { hasJudgeReport } from "../../../api/judge-reports.ts"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Menu } from "../../../components/menu.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { FollowButton } from "../ends/follow-button.tsx"
import { nameOfJob } from "../jobs/job-names.ts"
import { hasEnded } from "../jobs/job-status.tsx"
import { useRemoveJobs } from "../jobs/use-remove-jobs.ts"
import { resumeLabel, waysToContinue } from "./ways-to-continue.ts"

/** The requests that change the course of a job. */
export type JobActionName = "cancel" | "resume" | "retryFailed"
type JobAction = UseMutationResult<EvaluationJob, Error, JobActionName>

const DONE: Readonly<Record<JobActionName, string>> = {
  cancel: "Stopping the job: answers are kept",
  resume: "The job goes on with the rows that have no answer",
  retryFailed: "The failed rows are asked again",
}

/** Returns the mutation that cancels, resumes or retries a job. */
export function useJobAction(id: string): JobAction {
  const { evaluation } = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  return useMutation({
    mutationFn: (name: JobActionName) => evaluation.jobs[name](id),
    onSuccess: async (_job, name) => {
      notify(DONE[name])
      await queries.invalidateQueries({ queryKey: ["jobs"] })
    },
  })
}

/** Buttons beside the title. The others are in the menu. */
const MAX_BUTTONS = 3

export interface JobButtonProps {
  readonly action: JobAction
  readonly name: JobActionName
  readonly label: string
  readonly look?: "primary" | "text"
}

/** Renders a button for one of those. Its failure is shown beside it. */
export function JobButton({ action, name, label, look }: JobButtonProps): ReactElement {
  return (
    <>
      <button type="button" className={look} disabled={action.isPending} onClick={() => action.mutate(name)}>
        {label}
      </button>
      {action.error !== null && action.variables === name ? <ErrorCard error={action.error} /> : null}
    </>
  )
}

/** Renders what can be done with a job in its status. */
export function JobActions({ job }: { readonly job: EvaluationJob }): ReactElement {
  const action = useJobAction(job.id)
  const { id, status } = job
  const ways = waysToContinue(job)
  const isOver = hasEnded(status)
  const mayEdit = useRights().mayEdit(job.namespace)
  // A condition says why it failed, and its card has the way to go on.
  const isSaid = status === "FAILED" && job.conditions.length > 0
  const onward = [
    mayEdit && ways.resume && <JobButton key="resume" action={action} name="resume" label={resumeLabel(job)} />,
    mayEdit && ways.retryFailed && (
      <JobButton key="retry" action={action} name="retryFailed" label="Retry failed rows" />
    ),
  ]
  const all = [
    !isOver && <FollowButton key="follow" id={id} />,
    !isOver && mayEdit && <JobButton key="cancel" action={action} name="cancel" label="Cancel" />,
    ...(isSaid ? [] : onward),
    isOver && hasJudgeReport(job) && (
      <Link key="report" to="/calibration" search={{ job: id }} className="button">
        Report of the judges
      </Link>
    ),
    isOver && job.result !== null && (
      <Link key="compare" to="/compare" search={{ b: id }} className="button">
        Compare
      </Link>
    ),
    mayEdit && (
      <Link key="again" to="/launch" search={{ from: id }} className="button">
        Launch again
      </Link>
    ),
  ].filter((one) => one !== false)
  return (
    <>
      {all.slice(0, MAX_BUTTONS)}
      <JobMenu job={job}>
        {[...all.slice(MAX_BUTTONS), ...(isSaid ? onward : [])].filter((one) => one !== false)}
      </JobMenu>
    </>
  )
}

interface JobMenuProps {
  readonly job: EvaluationJob
  /** The actions that have no room beside the title. */
  readonly children: readonly ReactNode[]
}

/** Renders the menu with what is done rarely. */
function JobMenu({ job, children }: JobMenuProps): ReactElement | null {
  const removeJobs = useRemoveJobs()
  const navigate = useNavigate()
  const isOver = hasEnded(job.status)
  const hasResults = isOver && job.result !== null
  const mayRemove = useRights().mayEdit(job.namespace) && isOver
  const remove = async () => {
    await removeJobs([job])
    await navigate({ to: "/jobs" })
  }
  if (children.length === 0 && !hasResults && !mayRemove) return null
  return (
    <Menu label="More">
      {children}
      {hasResults ? (
        <a className="button" href={`/v1/evaluation/jobs/${encodeURIComponent(job.id)}/download-results`} download>
          Download results
        </a>
      ) : null}
      {mayRemove ? (
        <ConfirmButton label="Delete" title={`Delete “${nameOfJob(job)}”?`} onConfirm={remove}>
          <p>
            The job, its rows and its results are removed for everybody. They can be restored from the trash, if this
            server keeps one.
          </p>
        </ConfirmButton>
      ) : null}
    </Menu>
  )
}
