import type { Fileset } from "@assay/schemas"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useId, useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { DescriptionField } from "../../../components/fields/description-field.tsx"
import { NameField } from "../../../components/fields/name-field.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { useUndo } from "../../../components/use-undo.ts"

/** Renders the settings of a fileset: its name, its description and its deletion. */
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
  // The question of the deletion is a form too, and forms are not nested.
  const form = useId()
  return (
    <section className="card" aria-label="Settings">
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <NameField
          pattern="[A-Za-z0-9_.\-]+"
          hint="Files stay where they are, and what reads them now goes on. The old name becomes free."
          value={name}
          onChange={setName}
        />
        <DescriptionField value={description} onChange={setDescription} />
      </form>
      {save.error === null ? null : <ErrorCard error={save.error} />}
      <p className="actions">
        <button
          type="submit"
          form={form}
          className="primary"
          disabled={save.isPending || (name === fileset.name && description === fileset.description)}
        >
          Save
        </button>
        <span className="gap" />
        <DeleteFileset fileset={fileset} />
      </p>
    </section>
  )
}

/** Renders the button that deletes a fileset after a question. */
function DeleteFileset({ fileset }: { readonly fileset: Fileset }): ReactElement {
  const { workspace, name, storage } = fileset
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const notify = useNotify()
  const undoing = useUndo()
  const remove = async () => {
    const { id, restorable_until } = await client.filesets.remove(workspace, name)
    await queries.invalidateQueries({ queryKey: ["filesets"] })
    const restore = async () => {
      await client.trash.restore(workspace, id)
      await queries.invalidateQueries({ queryKey: ["filesets"] })
    }
    const isKept = restorable_until !== null
    notify(`Deleted ${workspace}/${name}`, isKept ? undoing(restore, `Restored ${workspace}/${name}`) : undefined)
    await navigate({ to: "/filesets" })
  }
  return (
    <ConfirmButton label="Delete the fileset" title={`Delete ${workspace}/${name}?`} typed={name} onConfirm={remove}>
      <p>
        {storage.type === "local"
          ? "The fileset and its files are removed for everybody. They can be restored from the trash, if this server keeps one."
          : "The fileset is removed. The files stay on their storage."}
      </p>
    </ConfirmButton>
  )
}
