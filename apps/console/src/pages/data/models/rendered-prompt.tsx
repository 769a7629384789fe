import { formatInteger } from "@assay/reports"
import type { ChatRendering } from "@assay/schemas"
import type { ReactElement } from "react"
import { CopyButton } from "../../../components/copy-button.tsx"
import { markTokens } from "./mark-tokens.ts"

/** Maximum number of characters that are shown; a longer prompt can be copied. */
const MAX_SHOWN = 100_000

export interface RenderedPromptProps {
  readonly rendering: ChatRendering
  /** The template, whose lines faults name. */
  readonly template: string
}

/** Shows a prompt with its special tokens, or the line of the template that fails. */
export function RenderedPrompt({
  rendering: { text, fault, special_tokens },
  template,
}: RenderedPromptProps): ReactElement {
  if (text === null) {
    const line = fault?.line ?? null
    return (
      <div className="card condition FAIL" role="alert">
        <header>
          <h3>{line === null ? "The template fails" : `The template fails in line ${line}`}</h3>
        </header>
        <p dir="auto">{fault?.message}</p>
        {line === null ? null : <pre className="code mono">{template.split("\n")[line - 1]}</pre>}
      </div>
    )
  }
  const parts = markTokens(text.slice(0, MAX_SHOWN), special_tokens)
  return (
    <>
      <p className="actions">
        <span className="soft">
          {parts.filter(({ isToken }) => isToken).length} special tokens, marked. {formatInteger(text.length)}{" "}
          characters.
        </span>
        <CopyButton text={text} what="the prompt" />
      </p>
      <pre className="code prompt" tabIndex={0} aria-label="Prompt">
        {parts.map(({ at, text: part, isToken }) => (isToken ? <mark key={at}>{part}</mark> : part))}
      </pre>
    </>
  )
}
