import { useEffect, useState, type ReactElement } from "react"
import { TextField } from "../../../components/fields/text-field.tsx"

export interface LabelFormProps {
  readonly isBusy: boolean
  readonly author: string
  readonly onAuthor: (author: string) => void
  readonly onLabel: (label: number, note: string) => void
  /** Goes back to the row before, whose label is replaced then. */
  readonly onBack: (() => void) | undefined
}

/** Renders the ways to label a row: the keys y and n, or any number, with a note. */
export function LabelForm({ isBusy, author, onAuthor, onLabel, onBack }: LabelFormProps): ReactElement {
  const [value, setValue] = useState("")
  const [note, setNote] = useState("")
  const number = value.trim() === "" ? Number.NaN : Number(value)
  const label = (given: number) => {
    if (!isBusy) onLabel(given, note.trim())
  }
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const isTyping = target instanceof Element && target.closest("input, textarea, select") !== null
      if (isTyping || ctrlKey || metaKey || altKey) return
      if (key === "y") label(1)
      if (key === "n") label(0)
      if (key === "u") onBack?.()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (Number.isFinite(number)) label(number)
      }}
    >
      <p className="actions">
        <button type="button" disabled={isBusy} onClick={() => label(1)}>
          Yes <kbd>y</kbd>
        </button>
        <button type="button" disabled={isBusy} onClick={() => label(0)}>
          No <kbd>n</kbd>
        </button>
        <button type="submit" disabled={isBusy || !Number.isFinite(number)}>
          The number <kbd>Enter</kbd>
        </button>
        <span className="gap" />
        <button type="button" className="quiet" disabled={isBusy || onBack === undefined} onClick={onBack}>
          Back <kbd>u</kbd>
        </button>
      </p>
      <div className="label-fields">
        <TextField label="Or a number" inputMode="decimal" value={value} onChange={setValue} />
        <TextField label="Note" value={note} maxLength={5000} onChange={setNote} />
        <TextField label="Your name" value={author} maxLength={200} autoComplete="name" onChange={onAuthor} />
      </div>
    </form>
  )
}
