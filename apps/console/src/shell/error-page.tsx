import { useRouter, type ErrorComponentProps } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { ErrorCard } from "../components/failures/error-card.tsx"

/** Renders a page that failed, with the way to try again. */
export function ErrorPage({ error, reset }: ErrorComponentProps): ReactElement {
  const router = useRouter()
  const again = () => {
    reset()
    void router.invalidate()
  }
  return (
    <>
      <h1>This page failed</h1>
      <ErrorCard error={error} again={again} />
    </>
  )
}
