import type { ReactElement } from "react"
import { CopyButton } from "./copy-button.tsx"

/** Renders commands or code as they are, with a button that copies them. */
export function CodeBlock({ text, label = "code" }: { readonly text: string; readonly label?: string }): ReactElement {
  return (
    <div className="code">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} what={label} />
    </div>
  )
}
