import { isObject } from "@assay/json"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { type ApiResponse } from "./api-response.ts"
import type { CatalogClient } from "./client.ts"

/** Maximum page size of the service. */
const PAGE_SIZE = 1000
/** Limit against a listing without an end. */
const MAX_PAGES = 1000

/**
 * Reads the pages of a list one after the other. An unsuccessful response is the last one. The first page is requested
 * without a number and states its own, because some catalogs count from 0 and some from 1.
 */
export async function* catalogPages(
  client: CatalogClient,
  path: string,
  target: RemoteTarget,
  signal?: AbortSignal,
): AsyncGenerator<ApiResponse> {
  let first = 0
  for (let page = 0; ; page += 1) {
    const number = page === 0 ? "" : `&page-number=${first + page}`
    const answer = await client.get(`${path}?page-size=${PAGE_SIZE}${number}`, target, signal)
    yield answer
    if (answer.status !== 200) return
    const { index, totalPages } = pagination(answer)
    if (page === 0) first = index ?? 0
    if (page + 1 >= (totalPages ?? 1)) return
    if (page + 1 === MAX_PAGES) {
      throw remoteError(
        "upstream_failed",
        target,
        `the catalog has more than ${MAX_PAGES} pages of it, the maximum that is read.`,
      )
    }
  }
}

function pagination({ body }: ApiResponse): { readonly index?: number; readonly totalPages?: number } {
  const { paginationInfo: info } = body
  return isObject(info) ? info : {}
}

/**
 * Returns the entries of a page: `modelFiles`, or `recipeFiles` for a resource. Returns an empty list if there are
 * none.
 */
export function entriesOf({ body }: ApiResponse, list: "Files" | "Versions"): readonly Record<string, unknown>[] {
  const entries = body[`model${list}`] ?? body[`recipe${list}`] ?? []
  return Array.isArray(entries) ? entries.filter(isObject) : []
}
