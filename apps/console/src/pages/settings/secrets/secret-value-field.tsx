import type { ReactElement } from "react"

const MAX_VALUE = 65_536

export interface SecretValueFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Renders the field for the value of a secret, unreadable for those who look at the screen. */
export function SecretValueField({ value, onChange }: SecretValueFieldProps): ReactElement {
  return (
    <label className="field">
      Value
      <input
        type="password"
        value={value}
        required
        maxLength={MAX_VALUE}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
      <small className="soft">It is stored encrypted and never shown again.</small>
    </label>
  )
}
