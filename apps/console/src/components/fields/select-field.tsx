import type { ReactElement } from "react"

export interface SelectFieldProps<Value extends string | number> {
  readonly label: string
  /** The values with their words. */
  readonly choices: readonly (readonly [Value, string])[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** Renders a labelled list of which one value is chosen. */
export function SelectField<Value extends string | number>(props: SelectFieldProps<Value>): ReactElement {
  const { label, choices, value, onChange } = props
  const choose = (text: string) => {
    const chosen = choices.find(([one]) => String(one) === text)
    if (chosen !== undefined) onChange(chosen[0])
  }
  return (
    <label className="field">
      {label}
      <select value={value} onChange={({ target }) => choose(target.value)}>
        {choices.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}
