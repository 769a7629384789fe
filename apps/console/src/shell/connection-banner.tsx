import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, type ReactElement } from "react"
import { useClient } from "../api/use-client.ts"

const LIVE = ["live"]
/** Milliseconds between two health checks, while the server answers and while it does not. */
const EVERY_MS = 20_000
const AWAY_MS = 2000

/** Says that the server does not answer for as long as it does not. Open pages continue when it is back. */
export function ConnectionBanner(): ReactElement | null {
  const client = useClient()
  const queries = useQueryClient()
  const { error } = useQuery({
    queryKey: LIVE,
    queryFn: async ({ signal }) => {
      await client.service.checkLive({ signal })
      return true
    },
    refetchInterval: ({ state }) => (state.error === null ? EVERY_MS : AWAY_MS),
    retry: false,
  })
  useEffect(
    () =>
      // Check the server as soon as any call fails.
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== "updated" || event.query.queryKey[0] === LIVE[0]) return
        if (event.action.type === "failed") void queries.invalidateQueries({ queryKey: LIVE })
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
