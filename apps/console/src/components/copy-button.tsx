import { useState, type ReactElement } from "react"

export interface CopyButtonProps {
  readonly text: string | (() => string | Promise<string>)
  /** Names the copied text for screen readers. */
  readonly what: string
  readonly label?: string
}

/** Milliseconds that the button shows its result. */
const SHOWN_MS = 2000

/** Renders a button that copies a text, and says whether that worked. */
export function CopyButton({ text, what, label = "Copy" }: CopyButtonProps): ReactElement {
  const [outcome, setOutcome] = useState<string>()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text())
      setOutcome("Copied")
    } catch {
      // Browsers refuse the clipboard to pages that came over plain HTTP from another machine.
      setOutcome("Not allowed")
    }
    setTimeout(() => setOutcome(undefined), SHOWN_MS)
  }
  return (
    <button type="button" className="quiet copy" aria-label={`${label} ${what}`} onClick={() => void copy()}>
      <span aria-live="polite">{outcome ?? label}</span>
    </button>
  )
}
