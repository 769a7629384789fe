import { estimateFacts } from "@assay/reports"
import type { LaunchCheckOutcome, LaunchCheckProgress } from "@assay/schemas"
import type { ReactElement } from "react"
import { CodeLink } from "../../../../components/failures/code-link.tsx"
import { Remedy } from "../../../../components/failures/remedy.tsx"
import type { LinkToLocation } from "../../../../components/failures/error-card.tsx"
import { Badge, type Tone } from "../../../../components/badge.tsx"

const TONES: Readonly<Record<LaunchCheckProgress["status"], Tone>> = {
  running: "RUNNING",
  passed: "PASS",
  warned: "INCONCLUSIVE",
  failed: "FAIL",
}

export interface LaunchChecksProps {
  /** The last report of each check, in the order in which they began. */
  readonly checks: readonly LaunchCheckProgress[]
  /** Undefined while checks run. */
  readonly outcomes: readonly LaunchCheckOutcome[] | undefined
  readonly linkTo?: LinkToLocation | undefined
}

/** Shows the launch checks as they run, with the remedy of each that failed and the time that the jobs take. */
export function LaunchChecks({ checks, outcomes, linkTo }: LaunchChecksProps): ReactElement {
  // Once all have ended, those that failed are read first.
  const isFailed = ({ status }: LaunchCheckProgress) => Number(status === "failed")
  const listed = outcomes === undefined ? checks : checks.toSorted((a, b) => isFailed(b) - isFailed(a))
  return (
    <section className="card" aria-label="Launch checks" aria-live="polite">
      <h2>
        {outcomes === undefined
          ? "Checking …"
          : outcomes.every(({ launchable }) => launchable)
            ? "The models answer"
            : "This can't be launched yet"}
      </h2>
      <ul className="checks">
        {listed.map(({ check, places, status, failed_checks: failed, warnings }) => (
          <li key={`${check} ${places.join(" ")}`}>
            <Badge text={status} tone={TONES[status]} /> <b>{check}</b>{" "}
            <span className="soft mono">{places.join(", ")}</span> {linkTo?.(places[0] ?? "")}
            {[...failed, ...warnings].map(({ code, message, remedy }) => (
              <div key={`${code} ${message}`} className="found">
                <p dir="auto">
                  <CodeLink code={code} /> {message} {linkTo?.(message)}
                </p>
                <Remedy text={remedy} />
              </div>
            ))}
          </li>
        ))}
      </ul>
      {outcomes?.map(({ estimate }, index) => {
        const time = estimateFacts(estimate).find(({ name }) => name === "Time")
        // oxlint-disable-next-line no-array-index-key -- one outcome for each job, in their order
        return time === undefined ? null : <p key={index}>{`Time of job ${index + 1}: ${time.value}`}</p>
      })}
    </section>
  )
}

/** Returns the reports after another one: each check has one, the last. */
export function withReport(
  checks: readonly LaunchCheckProgress[],
  report: LaunchCheckProgress,
): readonly LaunchCheckProgress[] {
  const isSame = ({ check, places }: LaunchCheckProgress) =>
    check === report.check && places.join(" ") === report.places.join(" ")
  return checks.some(isSame) ? checks.map((one) => (isSame(one) ? report : one)) : [...checks, report]
}
