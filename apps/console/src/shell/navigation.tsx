import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { Icon, type IconName } from "./icons.tsx"

interface Entry {
  readonly to: string
  readonly label: string
  readonly icon: IconName
}

const GROUPS: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
  {
    title: "Data",
    entries: [
      { to: "/filesets", label: "Filesets", icon: "filesets" },
      { to: "/models", label: "Models", icon: "models" },
    ],
  },
  {
    title: "Evaluation",
    entries: [
      { to: "/jobs", label: "Jobs", icon: "jobs" },
      { to: "/launch", label: "Launch", icon: "launch" },
      { to: "/compare", label: "Compare", icon: "compare" },
    ],
  },
  {
    title: "Judge",
    entries: [
      { to: "/guardrails", label: "Guardrails", icon: "guardrails" },
      { to: "/calibration", label: "Calibration", icon: "calibration" },
    ],
  },
  {
    title: "Settings",
    entries: [
      { to: "/workspaces", label: "Workspaces", icon: "workspaces" },
      { to: "/secrets", label: "Secrets", icon: "secrets" },
      { to: "/tokens", label: "Tokens", icon: "tokens" },
      { to: "/audit", label: "Audit", icon: "audit" },
    ],
  },
]

const NOTHING: readonly string[] = []

/** Renders the links to all pages, in groups. `hidden` lists the pages that the caller may not see. */
export function Navigation({ hidden = NOTHING }: { readonly hidden?: readonly string[] }): ReactElement {
  return (
    <nav aria-label="Pages">
      <ul>
        <NavigationLink to="/" label="Home" icon="home" />
      </ul>
      {GROUPS.map(({ title, entries }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
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

function NavigationLink({ to, label, icon }: Entry): ReactElement {
  return (
    <li>
      <Link to={to} activeOptions={{ exact: to === "/", includeSearch: false }}>
        <Icon name={icon} />
        {label}
      </Link>
    </li>
  )
}
