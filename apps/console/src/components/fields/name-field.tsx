import type { ReactElement } from "react"
import { TextField, type TextFieldProps } from "./text-field.tsx"

/** Renders the field for the name of a new record. Other attributes replace its own. */
export function NameField(props: Pick<TextFieldProps, "value" | "onChange"> & Partial<TextFieldProps>): ReactElement {
  return (
    <TextField
      label="Name"
      sentAs="name"
      required
      maxLength={255}
      autoComplete="off"
      dir="auto"
      hint="Letters, digits and _ . -"
      {...props}
    />
  )
}
