import type { CatalogRequest } from "./catalog-request.ts"
import type { CatalogSettings } from "./fake-catalog-options.ts"

/** The part of `entries` that `page-size` and `page-number` ask for, and what the answer tells of all pages. */
export function catalogPage<T>(
  entries: readonly T[],
  { query }: CatalogRequest,
  { pageSize, firstPage }: CatalogSettings,
): { readonly entries: readonly T[]; readonly paginationInfo: object } {
  const size = Math.min(Number(query.get("page-size") ?? 100), pageSize)
  const index = Number(query.get("page-number") ?? firstPage)
  const start = (index - firstPage) * size
  const totalPages = Math.max(1, Math.ceil(entries.length / size))
  return {
    entries: entries.slice(start, start + size),
    paginationInfo: { index, size, totalPages, totalResults: entries.length },
  }
}
