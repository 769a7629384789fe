import { useQuery } from "@tanstack/react-query"
import { createRoute, type AnyRoute } from "@tanstack/react-router"
import type { ComponentType, ReactElement } from "react"
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

/** Renders a page once its module is there. If the server is away, it is asked again until it is back. */
function LoadedPage({ load, name }: LoadedPageProps): ReactElement {
  const { data, failureCount } = useQuery({
    queryKey: ["page", name],
    queryFn: load,
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
      <p>
        This page can't be loaded. Either the server does not answer, or it was updated since the console was opened.
      </p>
      <p className="actions">
        <button type="button" onClick={() => location.reload()}>
          Reload the console
        </button>
      </p>
    </div>
  )
}
