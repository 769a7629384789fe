import type { TrashEntry } from "@assay/schemas"
import { messageOf } from "@assay/schemas/errors"
import { useMutation } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { NameField } from "../../../components/fields/name-field.tsx"
import { useNotify } from "../../../components/notices.tsx"

export interface RestoreButtonProps {
  readonly entry: TrashEntry
  readonly onRestore: (name: string) => Promise<unknown>
}

/** Renders the button that restores a deleted fileset, under its name or another one. A failure is shown in the dialog. */
export function RestoreButton({ entry, onRestore }: RestoreButtonProps): ReactElement {
  const [name, setName] = useState(entry.name)
  return (
    <FormDialog
      help="guides/history#deleted-filesets"
      label="Restore"
      title={`Restore ${entry.workspace}/${entry.name}`}
      send="Restore"
      onOpen={() => setName(entry.name)}
      onSend={() => onRestore(name)}
    >
      <NameField
        pattern="[A-Za-z0-9_.\-]+"
        hint="It comes back with its files and its history. Take another name if a new fileset has this one."
        value={name}
        onChange={setName}
      />
    </FormDialog>
  )
}

/** Renders the button that restores a deleted job. A job has no name that it could lose, so it asks nothing. */
export function RestoreJobButton({ onRestore }: { readonly onRestore: () => Promise<unknown> }): ReactElement {
  const notify = useNotify()
  const { mutate, isPending } = useMutation({
    mutationFn: onRestore,
    onError: (error) => notify(`It can't be restored: ${messageOf(error)}`),
  })
  return (
    <button type="button" disabled={isPending} onClick={() => mutate()}>
      Restore
    </button>
  )
}
