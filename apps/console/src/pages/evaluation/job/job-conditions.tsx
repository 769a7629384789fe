import type { Condition, EvaluationJob } from "@assay/schemas"
import { formatInteger } from "@assay/reports"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useRights } from "../../../api/use-session.ts"
import { CodeLink } from "../../../components/failures/code-link.tsx"
import { Remedy } from "../../../components/failures/remedy.tsx"
import { Time } from "../../../components/times/time.tsx"
import { JobButton, type JobButtonProps, useJobAction } from "./job-actions.tsx"
import { evidenceBeside } from "./evidence-beside.ts"
import { mainWay, resumeLabel, waysToContinue, type Way } from "./ways-to-continue.ts"

/** Shows what a job ran into, with evidence and the remedy beside it. */
export function JobConditions({ job }: { readonly job: EvaluationJob }): ReactElement | null {
  if (job.conditions.length === 0) return null
  return (
    <section aria-label="Conditions">
      {job.conditions.map((condition) => (
        <ConditionCard key={condition.code} job={job} condition={condition} />
      ))}
    </section>
  )
}

interface ConditionProps {
  readonly job: EvaluationJob
  readonly condition: Condition
}

function ConditionCard({ job, condition }: ConditionProps): ReactElement {
  const { code, title, message, remedy } = condition
  // A line that repeats the message says nothing new.
  const evidence = condition.evidence
    .filter((line) => !message.includes(line))
    .map((line) => evidenceBeside(message, line))
  return (
    <div className={`card condition ${job.status === "FAILED" ? "FAIL" : "INCONCLUSIVE"}`}>
      <header>
        <h2>{title}</h2>
        <CodeLink code={code} page="conditions" />
        <Seen condition={condition} />
      </header>
      <p dir="auto">{message}</p>
      {evidence.length === 0 ? null : (
        <ul className="evidence">
          {evidence.map((line) => (
            <li key={line} dir="auto">
              {line}
            </li>
          ))}
        </ul>
      )}
      <Remedy text={remedy} />
      <ConditionActions job={job} condition={condition} />
    </div>
  )
}

const WAYS: readonly Way[] = ["retryFailed", "resume", "change", "rows"]

/** Renders the one button that is the remedy, and the other ways as text. */
function ConditionActions({ job, condition: { code } }: ConditionProps): ReactElement {
  const action = useJobAction(job.id)
  const mayEdit = useRights().mayEdit(job.namespace)
  const { resume, retryFailed } = waysToContinue(job)
  const hasRows = (job.status_details.samples_processed ?? 0) > 0
  const main = mayEdit ? mainWay(job, code) : "rows"
  const isOffered: Readonly<Record<Way, boolean>> = {
    retryFailed: mayEdit && retryFailed,
    resume: mayEdit && resume,
    change: mayEdit,
    rows: hasRows,
  }
  const offered = WAYS.filter((way) => isOffered[way]).toSorted((a, b) => Number(b === main) - Number(a === main))
  return (
    <p className="actions">
      {offered.map((way) => (
        <WayShown key={way} way={way} job={job} code={code} action={action} isMain={way === main} />
      ))}
    </p>
  )
}

interface WayShownProps extends Pick<JobButtonProps, "action"> {
  readonly way: Way
  readonly job: EvaluationJob
  readonly code: string
  readonly isMain: boolean
}

function WayShown({ way, job, code, action, isMain }: WayShownProps): ReactElement {
  const look = isMain ? "button primary" : undefined
  if (way === "change") {
    return (
      <Link to="/launch" search={{ from: job.id }} className={look}>
        Change and launch again
      </Link>
    )
  }
  if (way === "rows") {
    return (
      <Link to="/jobs/$id" params={{ id: job.id }} search={{ tab: "rows", condition: code }} className={look}>
        Rows that show it
      </Link>
    )
  }
  const label = way === "resume" ? resumeLabel(job) : "Retry failed rows"
  return <JobButton action={action} name={way} label={label} look={isMain ? "primary" : "text"} />
}

function Seen({ condition: { count, first_seen, last_seen } }: Pick<ConditionProps, "condition">): ReactElement {
  if (count === 1) {
    return (
      <span className="soft">
        once, <Time at={last_seen} />
      </span>
    )
  }
  return (
    <span className="soft">
      {formatInteger(count)} times, first <Time at={first_seen} />, last <Time at={last_seen} />
    </span>
  )
}
