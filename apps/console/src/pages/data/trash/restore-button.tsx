import type { TrashEntry } from "@assay/schemas"
import { useState, type ReactElement } from "react"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { NameField } from "../../../components/fields/name-field.tsx"

export interface RestoreButtonProps {
  readonly entry: TrashEntry
  readonly onRestore: (name: string) => Promise<unknown>
}

/** Renders the button that restores a deleted fileset, under its name or another one. A failure is shown in the dialog. */
export function RestoreButton({ entry, onRestore }: RestoreButtonProps): ReactElement {
  const [name, setName] = useState(entry.name)
  return (
    <FormDialog
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

/** Renders the button that restores a deleted job. */
export function RestoreJobButton({ onRestore }: { readonly onRestore: () => Promise<unknown> }): ReactElement {
  return (
    <ConfirmButton label="Restore" title="Restore the job?" onConfirm={onRestore}>
      <p>It comes back with its rows, its results and its log. Keys that were written into it are not kept.</p>
    </ConfirmButton>
  )
}
