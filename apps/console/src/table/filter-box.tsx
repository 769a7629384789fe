import { useEffect, useEffectEvent, useState, type ReactElement } from "react"

export interface FilterBoxProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string | undefined
  /** Called a moment after the last key, and at once for enter. Undefined: no filter. */
  readonly onChange: (text: string | undefined) => void
}

/** How long after the last key the filter is used, in milliseconds. */
const SETTLED_MS = 250

/** Renders the field of a table's filter. */
export function FilterBox({ label, placeholder, value, onChange }: FilterBoxProps): ReactElement {
  const [text, setText] = useState(value ?? "")
  useEffect(() => setText(value ?? ""), [value])
  const use = useEffectEvent(() => {
    const next = text.trim() === "" ? undefined : text
    if (next !== value) onChange(next)
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
      placeholder={placeholder}
      title="Press / in the table to come here"
      value={text}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={({ key }) => {
        if (key === "Enter" && text !== (value ?? "")) onChange(text.trim() === "" ? undefined : text)
      }}
    />
  )
}
