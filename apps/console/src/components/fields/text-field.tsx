import { useId, type ComponentProps, type ReactElement } from "react"
import { useFieldFault } from "./field-faults.ts"

export interface TextFieldProps extends Omit<ComponentProps<"input">, "id" | "value" | "onChange"> {
  readonly label: string
  /** A sentence below the field. */
  readonly hint?: string | undefined
  /** The key of the body that the field is sent as. What the server refuses in it is said at the field. */
  readonly sentAs?: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Renders a labelled text field. Other attributes are those of an `input`. */
export function TextField({ label, hint, sentAs, value, onChange, ...more }: TextFieldProps): ReactElement {
  const id = useId()
  const fault = useFieldFault(sentAs)
  const about = [hint === undefined ? [] : `${id}-hint`, fault === undefined ? [] : `${id}-fault`].flat()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...more}
        id={id}
        aria-describedby={about.join(" ") || undefined}
        aria-invalid={fault === undefined ? undefined : true}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {fault === undefined ? null : (
        <small id={`${id}-fault`} className="fault" role="alert">
          {fault}
        </small>
      )}
      {hint === undefined ? null : <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}
