import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { Icon } from "../components/icon.tsx"
import { HOME, PAGE_GROUPS, type PageEntry } from "./pages.ts"

const NOTHING: readonly string[] = []

/** Renders the links to all pages, in groups. `hidden` lists the pages that the caller may not see. */
export function Navigation({ hidden = NOTHING }: { readonly hidden?: readonly string[] }): ReactElement {
  return (
    <nav aria-label="Pages">
      <ul>
        <NavigationLink {...HOME} />
      </ul>
      {PAGE_GROUPS.map(({ title, entries }) => (
        <section key={title} aria-label={title}>
          <p className="title">{title}</p>
          <ul>
            {entries
              .filter(({ to }) => !hidden.includes(to))
              .map((entry) => (
                <NavigationLink key={entry.to} {...entry} />
              ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

function NavigationLink({ to, label, icon }: PageEntry): ReactElement {
  return (
    <li>
      <Link to={to} activeOptions={{ exact: to === "/", includeSearch: false }}>
        <Icon name={icon} />
        {label}
      </Link>
    </li>
  )
}
