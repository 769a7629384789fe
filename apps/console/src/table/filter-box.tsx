import { useEffect, useEffectEvent, useState, type ReactElement } from "react"

export interface FilterBoxProps {
  readonly label: string
  readonly placeholder: string
  /** The filter that is used. */
  readonly value: string | undefined
  /** Called a moment after the last key, and at once for enter, if the filter changed. Undefined: no filter. */
  readonly onChange: (text: string | undefined) => void
  /** Called for each text in the field, also for one that comes from outside. */
  readonly onText?: (text: string) => void
  /** The id of what explains the field. */
  readonly describedBy?: string
}

/** Milliseconds between the last key and the use of the filter. */
const SETTLED_MS = 250

/** Renders the field of a table's filter. */
export function FilterBox(props: FilterBoxProps): ReactElement {
  const { label, placeholder, value, onChange, onText, describedBy } = props
  const [text, setText] = useState(value ?? "")
  const report = useEffectEvent((next: string) => onText?.(next))
  useEffect(() => setText(value ?? ""), [value])
  useEffect(() => report(text), [text])
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
      aria-describedby={describedBy}
      placeholder={placeholder}
      title="Press / in the table to come here"
      value={text}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={({ key }) => {
        const next = text.trim() === "" ? undefined : text
        if (key === "Enter" && next !== value) onChange(next)
      }}
    />
  )
}
