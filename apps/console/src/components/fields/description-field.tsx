import type { ReactElement } from "react"
import { TextField, type TextFieldProps } from "./text-field.tsx"

const MAX_DESCRIPTION = 1000

/** Renders the field for the description of a record. */
export function DescriptionField(props: Pick<TextFieldProps, "value" | "onChange">): ReactElement {
  return <TextField label="Description" sentAs="description" maxLength={MAX_DESCRIPTION} dir="auto" {...props} />
}
