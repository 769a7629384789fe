import { formatInteger } from "@assay/reports"
import { useState, type ReactElement } from "react"

/** Renders the field that goes to a row by its number. */
export function JumpBox({
  total,
  onJump,
}: {
  readonly total: number
  readonly onJump: (index: number) => void
}): ReactElement {
  const [text, setText] = useState("")
  return (
    <form
      className="jump"
      onSubmit={(event) => {
        event.preventDefault()
        const digits = text.replaceAll(/[,\s]/gu, "")
        if (/^\d{1,15}$/u.test(digits) && total > 0) onJump(Math.min(Number(digits), total - 1))
      }}
    >
      <input
        inputMode="numeric"
        aria-label="Go to row"
        placeholder={`Go to row 0–${formatInteger(Math.max(0, total - 1))}`}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </form>
  )
}
