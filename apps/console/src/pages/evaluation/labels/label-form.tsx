import { formatScore } from "@assay/reports"
import type { LabelQuestion } from "@assay/schemas"
import { useRef, useState, type KeyboardEvent, type ReactElement } from "react"
import { TextField } from "../../../components/fields/text-field.tsx"
import { usePageKeys } from "../../../components/use-page-keys.ts"
import { labelChoices, labelOfKey } from "./label-choices.ts"

export interface LabelFormProps {
  /** The row. The fields of another one are empty. */
  readonly digest: string
  readonly question: LabelQuestion
  readonly isBusy: boolean
  /** Null: unsure. */
  readonly onLabel: (label: number | null, note: string) => void
  /** Takes the last label back. Undefined if there is none. */
  readonly onUndo: (() => void) | undefined
}

const NO_WORDS = { value: "", note: "" }
const KEYS = ["y", "n", "u", "1", "2", "3", "4", "5", "6", "7", "8", "9"]

/** Renders the ways to label a row: the answers with their keys, or a number, with a note. The focus stays where it is after a label. */
export function LabelForm({ digest, question, isBusy, onLabel, onUndo }: LabelFormProps): ReactElement {
  const [draft, setDraft] = useState({ digest, ...NO_WORDS })
  const { value, note } = draft.digest === digest ? draft : NO_WORDS
  const write = (words: Partial<typeof NO_WORDS>) => setDraft({ digest, value, note, ...words })
  const choices = useRef<HTMLParagraphElement>(null)
  const { low, high } = question
  const number = value.trim() === "" ? Number.NaN : Number(value)
  const isOnScale = Number.isFinite(number) && number >= (low ?? -Infinity) && number <= (high ?? Infinity)
  const label = (given: number | null) => {
    if (!isBusy) onLabel(given, note.trim())
  }
  const press = (key: string) => {
    const given = labelOfKey(key, question)
    if (given === undefined) return false
    label(given)
    return true
  }
  usePageKeys(Object.fromEntries(KEYS.map((key) => [key, () => press(key)])))
  usePageKeys({ z: () => onUndo?.() }, { withControl: true })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isOnScale) label(number)
        // A note belongs to an answer, which is one key away.
        else choices.current?.querySelector("button")?.focus()
      }}
    >
      <p className="actions" ref={choices}>
        <ChoiceButtons question={question} onLabel={label} />
        <span className="gap" />
        <button type="button" className="quiet" disabled={onUndo === undefined} onClick={isBusy ? undefined : onUndo}>
          Undo <kbd>Ctrl Z</kbd>
        </button>
      </p>
      <div className="label-fields">
        <TextField
          label={numberLabel(question)}
          inputMode="decimal"
          value={value}
          hint={isOnScale ? "Enter labels the row" : undefined}
          onChange={(next) => write({ value: next })}
          onKeyDown={leaveField}
        />
        <TextField
          label="Note"
          value={note}
          maxLength={5000}
          onChange={(next) => write({ note: next })}
          onKeyDown={leaveField}
        />
      </div>
      {/* Enter in a field needs a button. */}
      <button type="submit" className="unseen" tabIndex={-1}>
        Label with the number
      </button>
    </form>
  )
}

/** Leaves a field by Escape, so that keys label again. */
function leaveField({ key, currentTarget }: KeyboardEvent): void {
  if (key === "Escape") focusDesk(currentTarget)
}

/** Moves the focus to the desk around an element: the next tab leads to the row, and keys label it. */
function focusDesk(inside: Element): void {
  inside.closest<HTMLElement>(".label-desk")?.focus({ preventScroll: true })
}

interface ChoiceButtonsProps extends Pick<LabelFormProps, "question"> {
  readonly onLabel: (label: number | null) => void
}

function ChoiceButtons({ question, onLabel }: ChoiceButtonsProps): ReactElement {
  return (
    <>
      {labelChoices(question).map(({ words, label: given, key }) => (
        <button
          key={`${key} ${words}`}
          type="button"
          className={given === null ? "quiet" : undefined}
          title={given === null ? "Not sure: the row has no label, and is counted" : `Label ${formatScore(given)}`}
          onClick={() => onLabel(given)}
        >
          <bdi>{words}</bdi>
          {keysOf(key, given, question)
            // A number that is its own key is said once.
            .filter((one) => one !== words)
            .map((one) => (
              <kbd key={one}>{one}</kbd>
            ))}
        </button>
      ))}
    </>
  )
}

function keysOf(key: string, label: number | null, { yes, no }: Pick<LabelQuestion, "yes" | "no">): readonly string[] {
  const words = label === null ? [] : [...(label === yes ? ["y"] : []), ...(label === no ? ["n"] : [])]
  return [...new Set([key, ...words])].filter((one) => one !== "")
}

function numberLabel({ low, high }: LabelQuestion): string {
  return low === null || high === null ? "Or a number" : `Or a number from ${formatScore(low)} to ${formatScore(high)}`
}
