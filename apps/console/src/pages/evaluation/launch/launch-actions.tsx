import type { LaunchCheckProgress } from "@assay/schemas"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { CopyButton } from "../../../components/copy-button.tsx"
import { ErrorCard, type LinkToPlace } from "../../../components/failures/error-card.tsx"
import { FailedChecks } from "../../../components/failures/failed-checks.tsx"
import { NotAllowed } from "../../../components/failures/not-allowed.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { LaunchChecks, withReport } from "./launch-checks.tsx"
import { formatCommand } from "./format-command.ts"
import type { LaunchDocument } from "./read-launch-text.ts"

export interface LaunchActionsProps {
  /** Undefined if there is nothing that could be launched. */
  readonly document: LaunchDocument | undefined
  /** The text of the file, or undefined if the form is shown. */
  readonly text: string | undefined
  readonly linkTo: LinkToPlace
}

/** Checks, launches and saves what is written. The server checks everything before it begins. */
export function LaunchActions({ document, text, linkTo }: LaunchActionsProps): ReactElement {
  const { mayEdit } = useRights()
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const notify = useNotify()
  const body = document?.body
  const home = body?.namespace ?? "default"
  const isAllowed = mayEdit(home)
  const [checks, setChecks] = useState<readonly LaunchCheckProgress[]>([])
  const launch = useMutation({
    mutationFn: (launched: LaunchDocument) => client.evaluation.jobs.launch(launched.body),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ["jobs"] })
      await navigate({ to: "/jobs/$id", params: { id } })
    },
  })
  const check = useMutation({
    mutationFn: async (checked: LaunchDocument) => {
      setChecks([])
      const onCheck = (report: LaunchCheckProgress) => setChecks((all) => withReport(all, report))
      return client.evaluation.jobs.check(checked.body, { onCheck })
    },
  })
  const save = useMutation({
    mutationFn: async ({ body: { config, namespace = "default" } }: LaunchDocument) => {
      if (typeof config !== "string") await client.evaluation.configs.create({ ...config, namespace })
    },
    onSuccess: () => notify("Saved the configuration"),
  })
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
