import { useEffect, useEffectEvent, useState, type ReactElement } from "react"

export interface FilterBoxProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string | undefined
  /** Called a moment after the last key, and at once for enter. Undefined: no filter. */
  readonly onChange: (text: string | undefined) => void
  /** Called for each key. */
  readonly onType?: (text: string) => void
  /** The id of what explains the field. */
  readonly describedBy?: string
}

/** How long after the last key the filter is used, in milliseconds. */
const SETTLED_MS = 250

/** Renders the field of a table's filter. */
export function FilterBox(props: FilterBoxProps): ReactElement {
  const { label, placeholder, value, onChange, onType, describedBy } = props
  const [text, setText] = useState(value ?? "")
  useEffect(() => setText(value ?? ""), [value])
  const use = useEffectEvent(() => {
    const next = text.trim() === "" ? undefined : text
    if (next !== value || onType !== undefined) onChange(next)
  })
  // Only typing starts the wait.
  useEffect(() => {
    const timer = setTimeout(() => use(), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      type="search"
      aria-label={label}
      aria-describedby={describedBy}
      placeholder={placeholder}
      title="Press / in the table to come here"
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        onType?.(target.value)
      }}
      onKeyDown={({ key }) => {
        if (key === "Enter") onChange(text.trim() === "" ? undefined : text)
      }}
    />
  )
}
