import { useId, type ReactElement } from "react"
import { messageOf } from "@assay/schemas/errors"
import { WithCode } from "../with-code.tsx"

export interface JsonFieldProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly onChange: (text: string) => void
  /** Default 16. */
  readonly rows?: number
}

/** Renders a field for JSON that says what can't be read. */
export function JsonField({ label, hint, value, onChange, rows = 16 }: JsonFieldProps): ReactElement {
  const id = useId()
  const { fault } = readJson(value)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : (
        <small>
          <WithCode text={hint} />
        </small>
      )}
      <textarea
        id={id}
        className="mono"
        rows={rows}
        spellCheck={false}
        value={value}
        aria-invalid={fault !== undefined}
        onChange={({ target }) => onChange(target.value)}
      />
      {fault === undefined ? null : (
        <small className="fault" role="alert">
          {fault}
        </small>
      )}
    </div>
  )
}

/** Returns the value of a JSON text, or why it can't be read. */
export function readJson(text: string): { readonly value?: unknown; readonly fault?: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { fault: `This is not JSON: ${messageOf(error)}` }
  }
}
