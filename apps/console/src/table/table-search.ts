import { useNavigate, useSearch } from "@tanstack/react-router"

/** The state of a table in the address, so that a link shows what its sender sees. */
export interface TableSearch {
  /** A field, with `-` before it for the largest first. */
  readonly sort?: string | undefined
  /** The text of the filter. */
  readonly q?: string | undefined
  /** The ids of hidden columns, separated by commas. */
  readonly hide?: string | undefined
  /** The row that is chosen, counted from 0. */
  readonly at?: number | undefined
}

/** Reads the state of a table from an address. Other parts of the address are left out. */
function readTableSearch(search: Readonly<Record<string, unknown>>): TableSearch {
  const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined)
  const at = Number(search["at"])
  return {
    sort: text(search["sort"]),
    q: text(search["q"]),
    hide: text(search["hide"]),
    at: search["at"] !== undefined && Number.isSafeInteger(at) && at >= 0 ? at : undefined,
  }
}

/** Returns the state of the page's table and the function that changes parts of it in the address. Undefined removes a part. */
export function useTableSearch(): readonly [TableSearch, (change: TableSearch) => void] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const update = (change: TableSearch) => {
    void navigate({
      to: ".",
      search: (before: object) => ({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    })
  }
  return [readTableSearch(search), update]
}
