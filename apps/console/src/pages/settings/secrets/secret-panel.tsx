import type { SecretAddress } from "@assay/schemas"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { CheckField } from "../../../components/fields/check-field.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { Time } from "../../../components/times/time.tsx"
import { SecretValueField } from "./secret-value-field.tsx"

export interface SecretPanelProps {
  readonly address: SecretAddress
  readonly onClose: () => void
}

/** Renders one secret without its value, with what can be done to it. */
export function SecretPanel({ address, onClose }: SecretPanelProps): ReactElement {
  const { workspace, name } = address
  const client = useClient()
  const { mayAdmin } = useRights()
  const { data, error } = useQuery({
    queryKey: ["secrets", "one", workspace, name],
    queryFn: ({ signal }) => client.secrets.get(workspace, name, { signal }),
  })
  return (
    <section className="card" aria-label={`Secret ${name}`}>
      {error === null ? null : <ErrorCard error={error} />}
      {data === undefined ? null : (
        <>
          <h2>{name}</h2>
          <dl className="facts">
            <dt>Reference</dt>
            <dd>
              <code>{`${workspace}/${name}`}</code>
            </dd>
            <dt>Description</dt>
            <dd dir="auto">{data.description === "" ? <span className="soft">none</span> : data.description}</dd>
            <dt>Created</dt>
            <dd>
              <Time at={data.created_at} />
            </dd>
            <dt>Set</dt>
            <dd>
              <Time at={data.updated_at} />
            </dd>
          </dl>
        </>
      )}
      <p className="actions">
        {data === undefined || !mayAdmin(workspace) ? null : (
          <>
            <ReplaceValue address={address} />
            <RemoveSecret address={address} onRemoved={onClose} />
          </>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
    </section>
  )
}

function ReplaceValue({ address: { workspace, name } }: { readonly address: SecretAddress }): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [value, setValue] = useState("")
  return (
    <FormDialog
      help="concepts/security-model#keys-and-secrets"
      label="Replace the value"
      title={`Replace the value of ${name}`}
      send="Replace"
      onOpen={() => setValue("")}
      onSend={async () => {
        await client.secrets.update(workspace, name, { value })
        setValue("")
        notify(`Replaced the value of ${name}.`)
        await queries.invalidateQueries({ queryKey: ["secrets"] })
      }}
    >
      <p>What names this secret uses the new value at once.</p>
      <SecretValueField value={value} onChange={setValue} />
    </FormDialog>
  )
}

interface RemoveSecretProps {
  readonly address: SecretAddress
  readonly onRemoved: () => void
}

function RemoveSecret({ address: { workspace, name }, onRemoved }: RemoveSecretProps): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [isForced, setForced] = useState(false)
  const remove = async () => {
    await client.secrets.remove(workspace, name, { force: isForced })
    onRemoved()
    notify(`Deleted the secret ${name}.`)
    await queries.invalidateQueries({ queryKey: ["secrets"] })
  }
  return (
    <ConfirmButton label="Delete" title={`Delete the secret ${name}?`} typed={name} onConfirm={remove}>
      <p>Its value cannot be restored.</p>
      <CheckField isChecked={isForced} onChange={setForced}>
        Also if a record names it. That record then stops working.
      </CheckField>
    </ConfirmButton>
  )
}
