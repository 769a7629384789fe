import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { createChangedQueries } from "./changed-queries.ts"
import { followChanges } from "./follow-changes.ts"
import { SESSION_KEY } from "./use-session.ts"

/** Names the answer whether the server is there. */
export const LIVE_KEY = ["live"]

/** Keeps the answers that are on the screen as new as the records on the server, while the user is signed in. */
export function useChanges(isSignedIn: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isSignedIn) return undefined
    const { change, stop } = createChangedQueries(queries)
    const end = followChanges({
      onChanges: change,
      onSilence: () => void queries.invalidateQueries({ queryKey: LIVE_KEY }, { cancelRefetch: false }),
      onRefused: () => void queries.invalidateQueries({ queryKey: SESSION_KEY }, { cancelRefetch: false }),
    })
    return () => {
      end()
      stop()
    }
  }, [queries, isSignedIn])
}
