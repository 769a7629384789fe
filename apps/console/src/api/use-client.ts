import type { Client } from "@assay/client"
import { createContext, use } from "react"

/** The client that the pages call. */
export const ClientContext = createContext<Client | null>(null)

/** Returns the client of the server. */
export function useClient(): Client {
  const client = use(ClientContext)
  if (client === null) throw new Error("A page needs a client around it: render it inside <App>.")
  return client
}
