import type { ReactElement, ReactNode } from "react"
import { CodeBlock } from "./code-block.tsx"

export interface EmptyStateProps {
  readonly title: string
  /** The command that changes it. */
  readonly command?: string
  readonly children?: ReactNode
}

/** Says that there is nothing yet, and what to do next. */
export function EmptyState({ title, command, children }: EmptyStateProps): ReactElement {
  return (
    <div className="card empty">
      <strong>{title}</strong>
      {children}
      {command === undefined ? null : <CodeBlock text={command} />}
    </div>
  )
}
