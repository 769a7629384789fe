import { formatCount } from "@assay/reports"
import { Link } from "@tanstack/react-router"
import { useEffect, type ReactElement } from "react"
import { createPortal } from "react-dom"
import { useRights } from "../../../../api/use-session.ts"
import { CopyButton } from "../../../../components/copy-button.tsx"
import { ErrorCard, type LinkToLocation } from "../../../../components/failures/error-card.tsx"
import { FailedChecks } from "../../../../components/failures/failed-checks.tsx"
import { NotAllowed } from "../../../../components/failures/not-allowed.tsx"
import { formatCommand } from "../format-command.ts"
import type { LaunchJob } from "../file/read-launch-file.ts"
import { LaunchChecks } from "./launch-checks.tsx"
import { type LaunchedJob, useLaunch, useLaunchCheck, useSaveConfiguration } from "./use-launch.ts"

export interface LaunchActionsProps {
  /** Empty if there is nothing that could be launched. */
  readonly jobs: readonly LaunchJob[]
  readonly text: string
  /** Where the results of the buttons are shown: above them, and below the plan, with which they scroll. Null: it is not drawn yet. */
  readonly found: HTMLElement | null
  readonly linkTo: LinkToLocation
  readonly onLaunched: () => void
}

/** Renders the buttons that check, launch and save a file. The server checks everything before it begins. */
export function LaunchActions({ jobs, text, found, linkTo, onLaunched }: LaunchActionsProps): ReactElement {
  const { mayEdit } = useRights()
  const home = jobs[0]?.body.namespace ?? "default"
  const isAllowed = mayEdit(home)
  const { launch, launched } = useLaunch(onLaunched)
  const { check, checks } = useLaunchCheck()
  const save = useSaveConfiguration()
  const hasResults = [checks[0], check.data, check.error, launch.error, save.error].some((one) => one != null)
  useEffect(() => {
    // Below a long plan, nobody would see them.
    if (hasResults) found?.scrollIntoView({ block: "nearest" })
  }, [hasResults, check.data, found])
  const isReady = jobs.length > 0 && isAllowed
  const results = (
    <>
      {checks.length === 0 ? null : <LaunchChecks checks={checks} outcomes={check.data} linkTo={linkTo} />}
      {check.error === null ? null : <ErrorCard error={check.error} linkTo={linkTo} />}
      {launched.length > 0 && jobs.length > 1 ? <Launched launched={launched} count={jobs.length} /> : null}
      {launch.error === null ? null : <FailedChecks error={launch.error} linkTo={linkTo} />}
      {save.error === null ? null : <ErrorCard error={save.error} />}
      {isAllowed ? null : (
        <NotAllowed needs="editor" workspace={home}>
          The file names it as <code>namespace</code>.
        </NotAllowed>
      )}
    </>
  )
  return (
    <>
      {found === null ? null : createPortal(results, found)}
      <p className="actions">
        <button
          type="button"
          className="primary"
          disabled={!isReady || launch.isPending}
          onClick={() => launch.mutate(jobs)}
        >
          {launch.isPending ? "Launching …" : jobs.length > 1 ? `Launch ${formatCount(jobs.length, "job")}` : "Launch"}
        </button>
        <button
          type="button"
          disabled={!isReady || check.isPending}
          title="Sends a request for one token to each model, a few more to measure its speed, and an example to each judge"
          onClick={() => check.mutate(jobs)}
        >
          Ask the models too
        </button>
        <button type="button" disabled={!isReady || save.isPending} onClick={() => save.mutate(jobs)}>
          Save the configuration
        </button>
        {text.trim() === "" ? null : (
          <CopyButton label="Copy as command" what="to launch this file" text={() => formatCommand(text)} />
        )}
      </p>
    </>
  )
}

/** Lists the jobs of a file that are launched. */
function Launched({
  launched,
  count,
}: {
  readonly launched: readonly LaunchedJob[]
  readonly count: number
}): ReactElement {
  const [first, second] = launched
  return (
    <section className="card" aria-label="Launched jobs" aria-live="polite">
      <h2>
        {launched.length} of {formatCount(count, "job")} launched
      </h2>
      <ul>
        {launched.map(({ id, label }) => (
          <li key={id}>
            <Link to="/jobs/$id" params={{ id }}>
              {label ?? id}
            </Link>
          </li>
        ))}
      </ul>
      {launched.length === count && first !== undefined && second !== undefined ? (
        <p className="actions">
          <Link to="/compare" search={{ a: first.id, b: second.id }} className="button">
            Compare the first two once they have ended
          </Link>
          <Link to="/jobs">All jobs</Link>
        </p>
      ) : null}
    </section>
  )
}
