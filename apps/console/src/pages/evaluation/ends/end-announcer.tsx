import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useClient } from "../../../api/use-client.ts"
import { announceEnds } from "./announce-ends.ts"

/** Announces the end of followed jobs while it is there. It renders nothing. */
export function EndAnnouncer(): null {
  const client = useClient()
  const queries = useQueryClient()
  useEffect(() => {
    const ending = new AbortController()
    void announceEnds({ client, queries, signal: ending.signal })
    return () => ending.abort()
  }, [client, queries])
  return null
}
