import { estimatedRequests, estimateFacts, formatCost, formatCount, formatInteger } from "@assay/reports"
import type { LaunchEstimate, LaunchRefusal } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge } from "../../../../components/badge.tsx"
import { CodeLink } from "../../../../components/failures/code-link.tsx"
import { Remedy } from "../../../../components/failures/remedy.tsx"
import { ErrorCard, type LinkToLocation } from "../../../../components/failures/error-card.tsx"
import type { LaunchFile } from "../file/read-launch-file.ts"
import { type JobPlan, MAX_PLANNED } from "./use-plans.ts"

export interface PlanCardProps {
  readonly file: LaunchFile
  readonly plans: readonly JobPlan[]
  readonly linkTo: LinkToLocation
  readonly linkToLine: (line: number) => ReactElement
}

/** Shows what the file would ask and cost, and everything that prevents it, while somebody writes it. */
export function PlanCard({ file, plans, linkTo, linkToLine }: PlanCardProps): ReactElement {
  const { faults, jobs } = file
  if (faults.length > 0) return <Faults faults={faults} linkToLine={linkToLine} />
  if (jobs.length === 0) {
    return (
      <section className="card plan" aria-label="Plan">
        <h2>Plan</h2>
        <p className="soft">
          Choose a model, rows and a check, or write the file. Rows, requests and cost are shown here before anything is
          asked.
        </p>
      </section>
    )
  }
  const failed = unique(plans.flatMap(({ outcome }) => outcome?.failed_checks ?? []))
  const warnings = unique(plans.flatMap(({ outcome }) => outcome?.warnings ?? []))
  const errors = [
    ...new Map(plans.flatMap(({ error }) => (error === null ? [] : [[error.message, error] as const]))).values(),
  ]
  const isPlanning = plans.some(({ outcome, error }) => outcome === undefined && error === null)
  const isBad = failed.length > 0 || errors.length > 0
  return (
    <section className="card plan" aria-label="Plan" aria-live="polite">
      <header>
        <h2>Plan</h2>
        {isPlanning ? (
          <Badge text="checking" tone="RUNNING" />
        ) : (
          <Badge text={isBad ? "not yet" : "ready"} tone={isBad ? "FAIL" : "PASS"} />
        )}
      </header>
      {errors.map((error) => (
        <ErrorCard key={error.message} error={error} linkTo={linkTo} />
      ))}
      <Findings found={failed} linkTo={linkTo} tone="FAIL" />
      <Findings found={warnings} linkTo={linkTo} tone="INCONCLUSIVE" />
      <Figures plans={plans} count={jobs.length} />
    </section>
  )
}

type Finding = LaunchRefusal["failed_checks"][number]

function unique(found: readonly Finding[]): readonly Finding[] {
  return [...new Map(found.map((one) => [`${one.check} ${one.message}`, one])).values()]
}

function Findings({
  found,
  linkTo,
  tone,
}: {
  readonly found: readonly Finding[]
  readonly linkTo: LinkToLocation
  readonly tone: "FAIL" | "INCONCLUSIVE"
}): ReactElement {
  return (
    <>
      {found.map(({ check, code, message, remedy }) => (
        <div key={`${check} ${message}`} className={`condition-line ${tone}`}>
          <p dir="auto">
            <b>{check}</b> <CodeLink code={code} /> {message} {linkTo(locationOf(message))}
          </p>
          <Remedy text={remedy} />
        </div>
      ))}
    </>
  )
}

/** Returns the location that a message names in parentheses, else the message, which may begin with one. */
function locationOf(message: string): string {
  return /\(((?:target|config)\.[^\s()]+)\)/u.exec(message)?.[1] ?? message
}

const MAX_FAULTS = 10

function Faults({ faults, linkToLine }: Pick<LaunchFile, "faults"> & Pick<PlanCardProps, "linkToLine">): ReactElement {
  const wrong = faults.filter(({ isFault = true }) => isFault)
  const missing = faults.filter(({ isFault = true }) => !isFault)
  return (
    <section className="card plan" aria-label="Plan" aria-live="polite">
      <header>
        <h2>Plan</h2>
        <Badge
          text={wrong.length === 0 ? "not complete" : formatCount(wrong.length, "fault")}
          tone={wrong.length === 0 ? "PLAIN" : "FAIL"}
        />
      </header>
      {wrong.length === 0 ? null : (
        <div role="alert">
          <ul className="fault-list">
            {wrong.slice(0, MAX_FAULTS).map(({ line, text }) => (
              <li key={`${line} ${text}`} className="FAIL" dir="auto">
                {linkToLine(line)} {text}
              </li>
            ))}
          </ul>
        </div>
      )}
      {missing.length === 0 ? null : (
        <>
          <h3>Still to write</h3>
          <ul className="fault-list">
            {missing.map(({ line, text }) => (
              <li key={`${line} ${text}`} dir="auto">
                {text}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

interface PlannedJob extends Pick<JobPlan, "job"> {
  readonly estimate: LaunchEstimate
}

/** Shows the figures of the only job, or those of each job and their sum. */
function Figures({
  plans,
  count,
}: {
  readonly plans: readonly JobPlan[]
  readonly count: number
}): ReactElement | null {
  const known = plans.flatMap(({ job, outcome }) =>
    outcome === undefined ? [] : [{ job, estimate: outcome.estimate }],
  )
  const [first] = known
  if (first === undefined) return null
  const notes = [...new Set(known.flatMap(({ estimate }) => estimate.notes))]
  return (
    <>
      {count === 1 ? (
        <dl className="facts">
          {estimateFacts(first.estimate).map(({ name, value }) => (
            <div key={name} className="pair">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <JobsOfFile known={known} count={count} />
      )}
      {notes.map((note) => (
        <p key={note} className="soft" dir="auto">
          {note}
        </p>
      ))}
    </>
  )
}

interface JobsOfFileProps {
  readonly known: readonly PlannedJob[]
  /** Number of jobs, also of those that are not planned. */
  readonly count: number
}

/** Shows what each job of a file asks and costs, and all of them together. */
function JobsOfFile({ known, count }: JobsOfFileProps): ReactElement {
  return (
    <>
      <table className="jobs-of-file">
        <thead>
          <tr>
            <th>Job</th>
            <th className="end">Rows</th>
            <th className="end">Requests</th>
            <th className="end">Cost</th>
          </tr>
        </thead>
        <tbody>
          {known.map(({ job: { label }, estimate }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="end">{estimate.rows === null ? "?" : formatInteger(estimate.rows)}</td>
              <td className="end">{countOf(estimatedRequests(estimate))}</td>
              <td className="end">{costOf(estimate.cost, estimate.currency)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Together</th>
            <td>{""}</td>
            <td className="end">{countOf(sumOf(known.map(({ estimate }) => estimatedRequests(estimate))))}</td>
            <td className="end">
              {costOf(sumOf(known.map(({ estimate }) => estimate.cost)), known[0]?.estimate.currency ?? null)}
            </td>
          </tr>
        </tbody>
      </table>
      {count > MAX_PLANNED ? (
        <p className="soft">
          The first {MAX_PLANNED} of {count} jobs are planned here.
        </p>
      ) : null}
    </>
  )
}

function sumOf(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0)
}

function countOf(count: number | null): string {
  return count === null ? "unknown" : formatInteger(count)
}

function costOf(cost: number | null, currency: string | null): string {
  return cost === null || currency === null ? "unknown" : formatCost(cost, currency)
}
