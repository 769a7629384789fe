import type { RowsToLabel } from "@assay/schemas"
import { useState, type ReactElement } from "react"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { SelectField } from "../../../components/fields/select-field.tsx"
import { TextField } from "../../../components/fields/text-field.tsx"
import { useNotify } from "../../../components/notices.tsx"

export interface AssignRowsProps {
  /** The id of the job. */
  readonly id: string
  readonly metric: string
}

const CHOICES: readonly (readonly [RowsToLabel, string])[] = [
  ["others", "rows that others labelled, for a second opinion"],
  ["open", "rows without a label"],
  ["disputed", "rows with different labels"],
]

/** Renders a form that makes the link with which a colleague labels rows under their own name. */
export function AssignRows({ id, metric }: AssignRowsProps): ReactElement {
  const notify = useNotify()
  const [name, setName] = useState("")
  const [rows, setRows] = useState<RowsToLabel>("others")
  const query = new URLSearchParams({
    tab: "labels",
    metric: JSON.stringify(metric),
    rows,
    author: JSON.stringify(name),
  })
  const link = `${location.origin}/jobs/${id}?${query}`
  const copy = async () => {
    await navigator.clipboard.writeText(link).catch(() => {
      // Browsers refuse the clipboard to pages that came over plain HTTP from another machine.
      throw new Error("The browser does not let this page copy: select the link above and copy it.")
    })
    notify(`Copied the link for ${name}`)
  }
  return (
    <FormDialog
      label="Assign"
      title="Assign rows to a colleague"
      send="Copy the link"
      isReady={name.trim() !== ""}
      onSend={copy}
    >
      <TextField label="Their name" value={name} onChange={setName} />
      <SelectField label="Rows" choices={CHOICES} value={rows} onChange={setRows} />
      <p className="soft">
        Labels through this link are kept under that name, and agreement is measured between names. Send it: nobody is
        notified.
      </p>
      <p className="mono assigned" tabIndex={0}>
        {link}
      </p>
    </FormDialog>
  )
}
