import type { Fileset } from "@assay/schemas"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { useNotify } from "../../../components/notices.tsx"

/** Renames, describes and deletes a fileset. */
export function SettingsTab({ fileset }: { readonly fileset: Fileset }): ReactElement {
  const { workspace } = fileset
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const notify = useNotify()
  const [name, setName] = useState(fileset.name)
  const [description, setDescription] = useState(fileset.description)
  const save = useMutation({
    mutationFn: () => client.filesets.update(workspace, fileset.name, { name, description }),
    onSuccess: async () => {
      notify("Saved the settings")
      await queries.invalidateQueries({ queryKey: ["filesets"] })
      await navigate({ to: "/filesets/$workspace/$name", params: { workspace, name }, search: { tab: "settings" } })
    },
  })
  const remove = async () => {
    await client.filesets.remove(workspace, fileset.name)
    await queries.invalidateQueries({ queryKey: ["filesets"] })
    notify(`Deleted ${workspace}/${fileset.name}`)
    await navigate({ to: "/filesets" })
  }
  const isOwn = fileset.storage.type === "local"
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <label className="field">
        Name
        <input required pattern="[A-Za-z0-9_.\-]+" value={name} onChange={({ target }) => setName(target.value)} />
        <small>Files stay where they are, and what reads them now goes on. The old name becomes free.</small>
      </label>
      <label className="field">
        Description
        <input maxLength={1000} value={description} onChange={({ target }) => setDescription(target.value)} />
      </label>
      {save.error === null ? null : <ErrorCard error={save.error} />}
      <p className="actions">
        <button
          type="submit"
          className="primary"
          disabled={save.isPending || (name === fileset.name && description === fileset.description)}
        >
          Save
        </button>
        <span className="gap" />
        <ConfirmButton
          label="Delete the fileset"
          title={`Delete ${workspace}/${fileset.name}?`}
          typed={fileset.name}
          onConfirm={remove}
        >
          <p>
            {isOwn
              ? "The fileset and its files are removed for everybody. This can't be undone."
              : "The fileset is removed. The files stay on their storage."}
          </p>
        </ConfirmButton>
      </p>
    </form>
  )
}
