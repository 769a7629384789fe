import type { Client } from "@assay/client"
import { useQuery } from "@tanstack/react-query"
import { createRoute, type AnyRoute } from "@tanstack/react-router"
import type { ComponentType, ReactElement } from "react"
import { useClient } from "../api/use-client.ts"
import { Loading } from "../components/loading.tsx"

/** A module with one page. */
export type PageModule = Readonly<Record<string, ComponentType>>

/** Returns the page `name` of a module, at an address. The module is loaded when the page is opened. */
export function pageRoute(root: AnyRoute, path: string, load: () => Promise<PageModule>, name: string): AnyRoute {
  const component = () => <LoadedPage load={load} name={name} />
  return createRoute({ getParentRoute: () => root, path, component })
}

interface LoadedPageProps {
  readonly load: () => Promise<PageModule>
  readonly name: string
}

/** Renders a page once its module is loaded. If the server is down, the load is retried until it is up again. */
function LoadedPage({ load, name }: LoadedPageProps): ReactElement {
  const client = useClient()
  const { data, failureCount } = useQuery({
    queryKey: ["page", name],
    queryFn: () => loadOrReload(load, client),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: true,
    retryDelay: 1000,
  })
  const Page = data?.[name]
  if (Page !== undefined) return <Page />
  if (failureCount < 2) return <Loading />
  return (
    <div className="card" role="alert">
      <p>This page can't be loaded: the server does not answer, or no longer has it.</p>
      <p className="actions">
        <button type="button" onClick={() => location.reload()}>
          Reload the console
        </button>
      </p>
    </div>
  )
}

const RELOADED_AT = "assay.reloaded-at"
/** A reload that does not help is not repeated at once. */
const RELOAD_PAUSE_MS = 30_000

/**
 * Loads a module. A browser remembers a module that it could not load, and a server that was updated has it under another name, so
 * that only a reload of the whole console helps once the server answers. The address keeps what the page shows.
 */
async function loadOrReload(load: () => Promise<PageModule>, client: Client): Promise<PageModule> {
  try {
    return await load()
  } catch (error) {
    await client.service.checkLive()
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) > RELOAD_PAUSE_MS) {
      sessionStorage.setItem(RELOADED_AT, String(Date.now()))
      location.reload()
    }
    throw error
  }
}
