import { formatScore } from "@assay/reports"
import type { LabelQuestion } from "@assay/schemas"
import { useEffect, useState, type ReactElement } from "react"
import { TextField } from "../../../components/fields/text-field.tsx"

export interface LabelFormProps {
  readonly question: LabelQuestion
  readonly isBusy: boolean
  readonly author: string
  readonly onAuthor: (author: string) => void
  readonly onLabel: (label: number, note: string) => void
  /** Goes back to the row before, whose label is replaced then. */
  readonly onBack: (() => void) | undefined
}

/** Renders the ways to label a row: the keys y and n, which mean the judge's yes and no, its words, or a number, with a note. */
export function LabelForm({ question, isBusy, author, onAuthor, onLabel, onBack }: LabelFormProps): ReactElement {
  const [value, setValue] = useState("")
  const [note, setNote] = useState("")
  const { low, high, yes, no } = question
  const number = value.trim() === "" ? Number.NaN : Number(value)
  const isOnScale = Number.isFinite(number) && number >= (low ?? -Infinity) && number <= (high ?? Infinity)
  // The words yes and no have buttons of their own.
  const words = question.rubric.filter((word) => word.value !== yes && word.value !== no)
  const label = (given: number) => {
    if (!isBusy) onLabel(given, note.trim())
  }
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const isTyping = target instanceof Element && target.closest("input, textarea, select") !== null
      if (isTyping || ctrlKey || metaKey || altKey) return
      if (key === "y" && yes !== null) label(yes)
      if (key === "n" && no !== null) label(no)
      if (key === "u") onBack?.()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isOnScale) label(number)
      }}
    >
      <p className="actions">
        {yes === null ? null : (
          <button type="button" disabled={isBusy} title={`Label ${formatScore(yes)}`} onClick={() => label(yes)}>
            Yes <kbd>y</kbd>
          </button>
        )}
        {no === null ? null : (
          <button type="button" disabled={isBusy} title={`Label ${formatScore(no)}`} onClick={() => label(no)}>
            No <kbd>n</kbd>
          </button>
        )}
        {words.map((word) => (
          <button key={word.label} type="button" disabled={isBusy} onClick={() => label(word.value)}>
            <bdi>{word.label}</bdi> <span className="soft">{formatScore(word.value)}</span>
          </button>
        ))}
        <button type="submit" disabled={isBusy || !isOnScale}>
          The number <kbd>Enter</kbd>
        </button>
        <span className="gap" />
        <button type="button" className="quiet" disabled={isBusy || onBack === undefined} onClick={onBack}>
          Back <kbd>u</kbd>
        </button>
      </p>
      <div className="label-fields">
        <TextField label={numberLabel(question)} inputMode="decimal" value={value} onChange={setValue} />
        <TextField label="Note" value={note} maxLength={5000} onChange={setNote} />
        <TextField label="Your name" value={author} maxLength={200} autoComplete="name" onChange={onAuthor} />
      </div>
    </form>
  )
}

function numberLabel({ low, high }: LabelQuestion): string {
  return low === null || high === null ? "Or a number" : `Or a number from ${formatScore(low)} to ${formatScore(high)}`
}
