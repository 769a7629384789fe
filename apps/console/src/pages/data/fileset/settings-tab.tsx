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
  // The question of the deletion is a form too, and forms are not nested.
  const form = useId()
  const isOwn = fileset.storage.type === "local"
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
    </section>
  )
}
