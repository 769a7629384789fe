import { BUILT_IN_WORKSPACES, type Workspace } from "@assay/schemas"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { CheckField } from "../../../components/fields/check-field.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { Loading } from "../../../components/loading.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { Time } from "../../../components/times/time.tsx"
import { BudgetSection } from "../budget/budget-section.tsx"
import { DescriptionField } from "../../../components/fields/description-field.tsx"

export interface WorkspacePanelProps {
  readonly name: string
  readonly onClose: () => void
}

/** Renders one workspace with what can be done to it. */
export function WorkspacePanel({ name, onClose }: WorkspacePanelProps): ReactElement {
  const client = useClient()
  const { mayAdmin } = useRights()
  const { data, error, isPending } = useQuery({
    queryKey: ["workspaces", "one", name],
    queryFn: ({ signal }) => client.workspaces.get(name, { signal }),
  })
  return (
    <section className="card attempts" aria-label={`Workspace ${name}`}>
      {error === null ? null : <ErrorCard error={error} />}
      {isPending && error === null ? <Loading /> : null}
      {data === undefined ? null : <WorkspaceFacts workspace={data} />}
      <p className="actions">
        {data === undefined || !mayAdmin(name) ? null : <EditWorkspace workspace={data} />}
        {data === undefined || !mayAdmin(name) || BUILT_IN_WORKSPACES.some((one) => one === name) ? null : (
          <RemoveWorkspace name={name} onRemoved={onClose} />
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
    </section>
  )
}

function WorkspaceFacts({
  workspace: { name, description, created_at },
}: {
  readonly workspace: Workspace
}): ReactElement {
  return (
    <>
      <h2>{name}</h2>
      <dl className="facts">
        <dt>Description</dt>
        <dd dir="auto">{description === "" ? <span className="soft">none</span> : description}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={created_at} />
        </dd>
        <dt>Contents</dt>
        <dd className="actions">
          <Link to="/filesets" search={{ q: `workspace:"${name}"` }}>
            Filesets
          </Link>
          <Link to="/models" search={{ workspace: name }}>
            Models
          </Link>
          <Link to="/jobs" search={{ q: name }}>
            Jobs
          </Link>
          <Link to="/guardrails" search={{ workspace: name }}>
            Guardrails
          </Link>
          <Link to="/secrets" search={{ workspace: name }}>
            Secrets
          </Link>
          <Link to="/spending">Spending</Link>
        </dd>
      </dl>
      <BudgetSection workspace={name} />
    </>
  )
}

function EditWorkspace({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const [description, setDescription] = useState(workspace.description)
  return (
    <FormDialog
      label="Edit"
      title={`Edit ${workspace.name}`}
      send="Save"
      onOpen={() => setDescription(workspace.description)}
      onSend={async () => {
        await client.workspaces.update(workspace.name, { description })
        await queries.invalidateQueries({ queryKey: ["workspaces"] })
      }}
    >
      <DescriptionField value={description} onChange={setDescription} />
    </FormDialog>
  )
}

function RemoveWorkspace({ name, onRemoved }: { readonly name: string; readonly onRemoved: () => void }): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [isWhole, setWhole] = useState(false)
  const remove = async () => {
    await client.workspaces.remove(name, { cascade: isWhole })
    onRemoved()
    notify(`Deleted the workspace ${name}.`)
    await queries.invalidateQueries()
  }
  return (
    <ConfirmButton label="Delete" title={`Delete the workspace ${name}?`} typed={name} onConfirm={remove}>
      <p>This cannot be undone.</p>
      <CheckField isChecked={isWhole} onChange={setWhole}>
        Also delete its filesets, models, jobs and secrets
      </CheckField>
    </ConfirmButton>
  )
}
