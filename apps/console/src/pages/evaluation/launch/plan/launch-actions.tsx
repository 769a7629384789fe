import { formatCount } from "@assay/reports"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
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
  readonly linkTo: LinkToLocation
  readonly onLaunched: () => void
}

/** Renders the buttons that check, launch and save a file. The server checks everything before it begins. */
export function LaunchActions({ jobs, text, linkTo, onLaunched }: LaunchActionsProps): ReactElement {
  const { mayEdit } = useRights()
  const home = jobs[0]?.body.namespace ?? "default"
  const isAllowed = mayEdit(home)
  const { launch, launched } = useLaunch(onLaunched)
  const { check, checks } = useLaunchCheck()
  const save = useSaveConfiguration()
  const isReady = jobs.length > 0 && isAllowed
  return (
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
      <p className="actions">
        <button type="button" className="primary" disabled={!isReady || launch.isPending} onClick={() => launch.mutate(jobs)}>
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
function Launched({ launched, count }: { readonly launched: readonly LaunchedJob[]; readonly count: number }): ReactElement {
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
