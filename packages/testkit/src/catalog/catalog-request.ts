import type { IncomingHttpHeaders } from "node:http"

/** A request to one of the catalog's servers. */
export interface CatalogRequest {
  /** The token service, the API, or the host of signed addresses. */
  readonly host: "token" | "api" | "files"
  readonly method: string
  /** Path and query, exactly as sent. */
  readonly url: string
  /** Path, exactly as sent. */
  readonly path: string
  /** Decoded. */
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
}

export function catalogRequest(
  host: CatalogRequest["host"],
  { method, url, headers }: { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders },
): CatalogRequest {
  const [path = "", query = ""] = url.split("?")
  return { host, method, url, path, query: new URLSearchParams(query), headers }
}
