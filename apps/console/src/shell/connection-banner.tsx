import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, type ReactElement } from "react"
import { LIVE_KEY } from "../api/use-changes.ts"
import { useClient } from "../api/use-client.ts"

/** Milliseconds between two health checks while the server does not answer. */
const AWAY_MS = 2000
/** Milliseconds in which a server answers a health check. */
const PATIENCE_MS = 1500

/** Says that the server does not answer for as long as it does not. Open pages continue when it is back. */
export function ConnectionBanner(): ReactElement | null {
  const client = useClient()
  const queries = useQueryClient()
  const { error } = useQuery({
    queryKey: LIVE_KEY,
    queryFn: async ({ signal }) => {
      await client.service.checkLive({ signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) })
      return true
    },
    // The stream of changes, and calls that fail, say when to look.
    initialData: true,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.error === null ? false : AWAY_MS),
    retry: false,
  })
  useEffect(
    () =>
      // Check the server as soon as any call fails.
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== "updated" || event.query.queryKey[0] === LIVE_KEY[0]) return
        if (event.action.type === "failed")
          void queries.invalidateQueries({ queryKey: LIVE_KEY }, { cancelRefetch: false })
      }),
    [queries],
  )
  useEffect(() => {
    // When the server is back, repeat the calls that failed meanwhile.
    if (error === null) void queries.refetchQueries({ predicate: ({ state }) => state.error !== null })
  }, [error, queries])
  if (error === null) return null
  return (
    <p className="banner" role="status">
      <b>No connection.</b> The server at {client.url} does not answer. This page asks again every 2 seconds and then
      continues.
    </p>
  )
}
