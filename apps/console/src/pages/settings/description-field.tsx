import type { ReactElement } from "react"

const MAX_DESCRIPTION = 1000

export interface DescriptionFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Renders the field for the description of a record. */
export function DescriptionField({ value, onChange }: DescriptionFieldProps): ReactElement {
  return (
    <label className="field">
      Description
      <input value={value} maxLength={MAX_DESCRIPTION} dir="auto" onChange={({ target }) => onChange(target.value)} />
    </label>
  )
}
