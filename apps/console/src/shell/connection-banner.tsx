import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../api/use-client.ts"

/** How often the server is asked whether it is there, in milliseconds: seldom while it is, often while it is away. */
const EVERY_MS = 20_000
const AWAY_MS = 2000

/** Says that the server does not answer for as long as it does not. Open pages continue when it is back. */
export function ConnectionBanner(): ReactElement | null {
  const client = useClient()
  const { failureCount, error } = useQuery({
    queryKey: ["live"],
    queryFn: async ({ signal }) => {
      await client.service.checkLive({ signal })
      return true
    },
    refetchInterval: ({ state }) => (state.fetchFailureCount > 0 || state.error !== null ? AWAY_MS : EVERY_MS),
    retry: false,
  })
  if (failureCount === 0 && error === null) return null
  return (
    <p className="banner" role="status">
      <b>No connection.</b> The server at {client.url} does not answer. This page asks again every 2 seconds and then
      continues.
    </p>
  )
}
