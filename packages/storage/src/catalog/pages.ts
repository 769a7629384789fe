import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import type { CatalogAnswer } from "./answer.ts"
import type { CatalogClient } from "./client.ts"
import { isObject } from "./parse-object.ts"

/** What the service gives at the most. */
const PAGE_SIZE = 1000
/** Whoever announces more will never end. */
const MAX_PAGES = 1000

/**
 * The pages of a list, one after the other; an answer that is no success is the last one. The first page is asked for
 * without a number and tells its own, since some catalogs count from 0 and some from 1.
 */
export async function* catalogPages(
  client: CatalogClient,
  path: string,
  target: RemoteTarget,
  signal?: AbortSignal,
): AsyncGenerator<CatalogAnswer> {
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
        `the catalog has more than ${MAX_PAGES} pages of it; nobody can read on.`,
      )
    }
  }
}

function pagination({ body }: CatalogAnswer): { readonly index?: number; readonly totalPages?: number } {
  const { paginationInfo: info } = body
  return isObject(info) ? info : {}
}

/** The entries of a page: `modelFiles`, or for a resource `recipeFiles`; none where there is no such list. */
export function entriesOf({ body }: CatalogAnswer, list: "Files" | "Versions"): readonly Record<string, unknown>[] {
  const entries = body[`model${list}`] ?? body[`recipe${list}`] ?? []
  return Array.isArray(entries) ? entries.filter(isObject) : []
}
