import { printable } from "@assay/schemas"
import { useEffect, type ReactElement, type ReactNode } from "react"

export interface PageHeaderProps {
  readonly title: string
  /** Shown above the title, such as links to the pages above this one. */
  readonly above?: ReactNode
  /** One line below the title. */
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** The page of the documentation that explains this one, below `/help/`. */
  readonly help?: string
}

/** Renders the title of a page, and names the browser's tab after it. */
export function PageHeader({ title, above, children, actions, help }: PageHeaderProps): ReactElement {
  useEffect(() => {
    document.title = `${printable(title)} · Assay`
  }, [title])
  return (
    <header className="page">
      <div>
        {above === undefined ? null : <div className="above">{above}</div>}
        <div className="titled">
          <h1 dir="auto" title={title}>
            {title}
          </h1>
          {help === undefined ? null : <a href={`/help/${help}`}>Guide</a>}
        </div>
        {children === undefined ? null : <div className="soft below">{children}</div>}
      </div>
      {actions === undefined ? null : <div className="actions">{actions}</div>}
    </header>
  )
}
