import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"

export interface TabsProps<Name extends string> {
  readonly label: string
  readonly tabs: Readonly<Record<Name, string>>
  readonly current: Name
}

/** Renders links between the parts of one page. The part is `tab` in the address, so that a link shows it. */
export function Tabs<Name extends string>({ label, tabs, current }: TabsProps<Name>): ReactElement {
  return (
    <nav className="tabs" aria-label={label}>
      {(Object.keys(tabs) as Name[]).map((name) => (
        <Link
          key={name}
          to="."
          search={(before: Record<string, unknown>) => ({ ...before, tab: name })}
          aria-current={name === current ? "page" : undefined}
          data-label={tabs[name]}
        >
          {tabs[name]}
        </Link>
      ))}
    </nav>
  )
}
