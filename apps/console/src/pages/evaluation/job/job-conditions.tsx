import type { Condition, EvaluationJob } from "@assay/schemas"
import { formatInteger } from "@assay/reports"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useRights } from "../../../api/use-session.ts"
import { Time } from "../../../components/times/time.tsx"
import { WithCode } from "../../../components/with-code.tsx"
import { JobButton, useJobAction } from "./job-actions.tsx"
import { evidenceBeside } from "./evidence-beside.ts"
import { resumeLabel, waysToContinue } from "./ways-to-continue.ts"

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
        <a href={`/help/reference/conditions#${code}`} title="What this condition means">
          <code>{code}</code>
        </a>
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

function ConditionActions({ job, condition }: ConditionProps): ReactElement {
  const action = useJobAction(job.id)
  const mayEdit = useRights().mayEdit(job.namespace)
  const ways = waysToContinue(job)
  return (
    <p className="actions">
      {(job.status_details.samples_processed ?? 0) === 0 ? null : (
        <Link
          to="/jobs/$id"
          params={{ id: job.id }}
          search={{ tab: "rows", condition: condition.code }}
          className="button"
        >
          Rows that show it
        </Link>
      )}
      {mayEdit && ways.retryFailed ? <JobButton action={action} name="retryFailed" label="Retry failed rows" /> : null}
      {mayEdit && ways.resume ? <JobButton action={action} name="resume" label={resumeLabel(job)} /> : null}
      {mayEdit ? (
        <Link to="/launch" search={{ from: job.id }} className="button">
          Change and launch again
        </Link>
      ) : null}
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
