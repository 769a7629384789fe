import type { Client } from "@assay/client"
import { QueryClientProvider, type QueryClient } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { ClientContext } from "./api/use-client.ts"
import type { ConsoleRouter } from "./router.tsx"
import { NoticesProvider } from "./components/notices.tsx"

export interface AppProps {
  readonly client: Client
  readonly queries: QueryClient
  readonly router: ConsoleRouter
}

/** Renders the whole console: its pages with the client that they use. */
export function App({ client, queries, router }: AppProps): ReactElement {
  return (
    <ClientContext value={client}>
      <QueryClientProvider client={queries}>
        <NoticesProvider>
          <RouterProvider router={router} />
        </NoticesProvider>
      </QueryClientProvider>
    </ClientContext>
  )
}
