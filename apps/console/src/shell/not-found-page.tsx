import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { EmptyState } from "../components/empty-state.tsx"

/** Renders the answer to an address that no page has. */
export function NotFoundPage(): ReactElement {
  return (
    <>
      <h1>No such page</h1>
      <EmptyState title={`There is no page at ${location.pathname}.`}>
        <p>
          Go to <Link to="/">the start</Link>, or choose a page on the left.
        </p>
      </EmptyState>
    </>
  )
}
