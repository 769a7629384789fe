import { useState, type ReactElement, type ReactNode } from "react"

export interface FoldedProps {
  readonly title: string
  /** Called once it is opened: what is folded costs nothing before. */
  readonly children: () => ReactNode
}

/** Renders a part of a page that is folded until somebody opens it. */
export function Folded({ title, children }: FoldedProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span dir="auto">{title}</span>
      </summary>
      {isOpen ? children() : null}
    </details>
  )
}
