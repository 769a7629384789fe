import type { Condition, EvaluationJob } from "@assay/schemas"
import { formatInteger } from "@assay/reports"
import { Link } from "@tanstack/react-router"
import { Fragment, type ReactElement } from "react"
import { useRights } from "../../../api/use-session.ts"
import { CodeLink } from "../../../components/failures/code-link.tsx"
import { Time } from "../../../components/times/time.tsx"
import { WithCode } from "../../../components/with-code.tsx"
import { JobButton, useJobAction } from "./job-actions.tsx"
import { evidenceBeside } from "./evidence-beside.ts"
import { primaryRemedy, type Remedy, resumeLabel, waysToContinue } from "./ways-to-continue.ts"

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
      <p className="remedy">
        <b>Remedy</b> <WithCode text={remedy} />
      </p>
      <ConditionActions job={job} condition={condition} />
    </div>
  )
}

/** Renders the one button that is the remedy, and the other ways as text. */
function ConditionActions({ job, condition: { code } }: ConditionProps): ReactElement {
  const action = useJobAction(job.id)
  const mayEdit = useRights().mayEdit(job.namespace)
  const ways = waysToContinue(job)
  const hasRows = (job.status_details.samples_processed ?? 0) > 0
  const primary = mayEdit ? primaryRemedy(job, code) : "rows"
  const look = (way: Remedy) => (way === primary ? "primary" : "text")
  const all: readonly [Remedy, ReactElement | null][] = [
    ["retryFailed", ways.retryFailed && mayEdit ? <JobButton action={action} name="retryFailed" label="Retry failed rows" look={look("retryFailed")} /> : null],
    ["resume", ways.resume && mayEdit ? <JobButton action={action} name="resume" label={resumeLabel(job)} look={look("resume")} /> : null],
    ["change", mayEdit ? <Link to="/launch" search={{ from: job.id }} className={look("change") === "primary" ? "button primary" : undefined}>Change and launch again</Link> : null],
    ["rows", hasRows ? <Link to="/jobs/$id" params={{ id: job.id }} search={{ tab: "rows", condition: code }} className={look("rows") === "primary" ? "button primary" : undefined}>Rows that show it</Link> : null],
  ]
  return (
    <p className="actions">
      {all.toSorted(([a], [b]) => Number(b === primary) - Number(a === primary)).map(([way, element]) => <Fragment key={way}>{element}</Fragment>)}
    </p>
  )
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
