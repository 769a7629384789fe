import { Link, Outlet, useRouterState } from "@tanstack/react-router"
import { Suspense, useEffect, useRef, useState, type ReactElement } from "react"
import { Loading } from "../components/loading.tsx"
import { ConnectionBanner } from "./connection-banner.tsx"
import { Icon } from "./icons.tsx"
import { Navigation } from "./navigation.tsx"
import { ThemeSwitch } from "./theme-switch.tsx"

/** Renders what surrounds every page: its name, the navigation, and what the user must know at once. */
export function Frame(): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    setOpen(false)
    // A reader of the screen hears the new page. The first one is read anyway.
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [path])
  return (
    <div className="frame" data-menu={isOpen ? "open" : "closed"}>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="bar">
        <button type="button" className="quiet menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="menu" />
          <span className="unseen">Menu</span>
        </button>
        <Link to="/" className="brand">
          <img src="/icon.svg" alt="" width="22" height="22" /> Assay
        </Link>
        <span className="gap" />
        <a className="docs" href="/docs">
          API <Icon name="external" />
        </a>
        <ThemeSwitch />
      </header>
      <div className="side">
        <Navigation />
      </div>
      <main id="main" ref={main} tabIndex={-1}>
        <ConnectionBanner />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}
