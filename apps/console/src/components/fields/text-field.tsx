import { useId, type ComponentProps, type ReactElement } from "react"

export interface TextFieldProps extends Omit<ComponentProps<"input">, "id" | "value" | "onChange"> {
  readonly label: string
  /** A sentence below the field. */
  readonly hint?: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Renders a labelled text field. Other attributes are those of an `input`. */
export function TextField({ label, hint, value, onChange, ...more }: TextFieldProps): ReactElement {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...more}
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {hint === undefined ? null : <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}
