import type { ReactElement } from "react"
import { useRights } from "../../../api/use-session.ts"
import { CopyButton } from "../../../components/copy-button.tsx"
import { ErrorCard, type LinkToLocation } from "../../../components/failures/error-card.tsx"
import { FailedChecks } from "../../../components/failures/failed-checks.tsx"
import { NotAllowed } from "../../../components/failures/not-allowed.tsx"
import { LaunchChecks } from "./launch-checks.tsx"
import { formatCommand } from "./format-command.ts"
import type { LaunchDocument } from "./read-launch-text.ts"
import { useLaunch, useLaunchCheck, useSaveConfiguration } from "./use-launch.ts"

export interface LaunchActionsProps {
  /** Undefined if there is nothing that could be launched. */
  readonly document: LaunchDocument | undefined
  /** The text of the file, or undefined if the form is shown. */
  readonly text: string | undefined
  readonly linkTo: LinkToLocation
}

/** Renders the buttons that check, launch and save a definition. The server checks everything before it begins. */
export function LaunchActions({ document, text, linkTo }: LaunchActionsProps): ReactElement {
  const { mayEdit } = useRights()
  const home = document?.body.namespace ?? "default"
  const isAllowed = mayEdit(home)
  const launch = useLaunch()
  const { check, checks } = useLaunchCheck()
  const save = useSaveConfiguration()
  const button = (label: string, { isPending, mutate }: typeof check | typeof launch | typeof save) => (
    <button
      type="button"
      className={label === "Check and launch" ? "primary" : undefined}
      disabled={document === undefined || !isAllowed || isPending}
      onClick={() => document !== undefined && mutate(document)}
    >
      {label}
    </button>
  )
  return (
    <>
      {checks.length === 0 ? null : <LaunchChecks checks={checks} outcome={check.data} linkTo={linkTo} />}
      {check.error === null ? null : <ErrorCard error={check.error} linkTo={linkTo} />}
      {launch.error === null ? null : <FailedChecks error={launch.error} linkTo={linkTo} />}
      {save.error === null ? null : <ErrorCard error={save.error} />}
      {isAllowed ? null : (
        <NotAllowed needs="editor" workspace={home}>
          The definition names it as <code>namespace</code>.
        </NotAllowed>
      )}
      <p className="actions">
        {button("Check and launch", launch)}
        {button("Only check", check)}
        {button("Save the configuration", save)}
        {document === undefined ? null : (
          <CopyButton label="Copy as command" what="to launch this job" text={() => formatCommand(document, text)} />
        )}
      </p>
    </>
  )
}
