import type { ReactElement } from "react"

export interface ChoiceFilterProps {
  readonly label: string
  /** The words of each choice. */
  readonly choices: Readonly<Record<string, string>>
  /** The words for no choice. Default: there is always a choice. */
  readonly none?: string
  readonly value: string | undefined
  /** Undefined: no choice. */
  readonly onChoose: (choice: string | undefined) => void
}

/** Renders the list of choices that filters or orders a table. */
export function ChoiceFilter({ label, choices, none, value, onChoose }: ChoiceFilterProps): ReactElement {
  return (
    <select
      aria-label={label}
      value={value ?? ""}
      onChange={({ target }) => onChoose(target.value === "" ? undefined : target.value)}
    >
      {none === undefined ? null : <option value="">{none}</option>}
      {value === undefined || Object.hasOwn(choices, value) ? null : <option value={value}>{value}</option>}
      {Object.entries(choices).map(([choice, words]) => (
        <option key={choice} value={choice}>
          {words}
        </option>
      ))}
    </select>
  )
}

/** Returns choices that are called by their own names. */
export function namedChoices(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, name]))
}
