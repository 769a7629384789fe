import { Link, Outlet, useRouterState } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useRef, useState, type ReactElement } from "react"
import { Loading } from "../components/loading.tsx"
import { useChanges } from "../api/use-changes.ts"
import { useRights, useSession } from "../api/use-session.ts"
import { Account } from "./account.tsx"
import { ConnectionBanner } from "./connection-banner.tsx"
import { FollowedEnds } from "./followed-ends.tsx"
import { Icon } from "../components/icon.tsx"
import { Navigation } from "./navigation.tsx"
import { Shortcuts } from "./shortcuts.tsx"
import { ThemeSwitch } from "./theme-switch.tsx"
import { useKeptFocus } from "./use-kept-focus.ts"

const SignIn = lazy(async () => ({ default: (await import("./sign-in.tsx")).SignIn }))

/** Renders what surrounds every page: its name, the navigation, and what the user must know at once. */
export function Frame(): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const session = useSession()
  // The page that was open is at the same address after the next sign-in.
  const wasSignedIn = useRef(false)
  const hasEnded = session?.signed_in === false && wasSignedIn.current
  useEffect(() => {
    if (session?.signed_in === true) wasSignedIn.current = true
  }, [session])
  useChanges(session?.signed_in === true)
  const { mayAdmin, mayEdit } = useRights()
  const hidden = [
    ...(mayAdmin() ? [] : ["/secrets", "/tokens", "/audit"]),
    ...(mayEdit() ? [] : ["/launch", "/prompt"]),
  ]
  const main = useRef<HTMLElement>(null)
  useKeptFocus(main)
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
        <button type="button" className="quiet burger" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="menu" />
          <span className="unseen">Menu</span>
        </button>
        <Link to="/" className="brand" aria-label="Assay">
          <img src="/icon.svg" alt="" width="22" height="22" /> <span>Assay</span>
        </Link>
        <span className="gap" />
        {session?.signed_in === true ? <Shortcuts hidden={hidden} /> : null}
        <a className="docs" href="/help">
          Help
        </a>
        <a className="docs" href="/docs">
          API <Icon name="external" />
        </a>
        <ThemeSwitch />
        <Account />
      </header>
      <div className="side">{session?.signed_in === true ? <Navigation hidden={hidden} /> : null}</div>
      <main id="main" ref={main} tabIndex={-1}>
        <ConnectionBanner />
        <Suspense fallback={<Loading />}>
          {session === undefined ? <Loading /> : session.signed_in ? <Outlet /> : <SignIn hasEnded={hasEnded} />}
        </Suspense>
      </main>
      {session?.signed_in === true ? <FollowedEnds /> : null}
    </div>
  )
}
