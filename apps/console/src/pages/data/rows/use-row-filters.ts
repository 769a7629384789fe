import { formatRowFilterTerm, parseRowFilterTerm, type RowFilters, type RowFilterTerm } from "@assay/client"
import { useNavigate, useSearch } from "@tanstack/react-router"

/** The filters of a file's rows, which are in the address. */
export interface RowFilterState {
  readonly terms: readonly RowFilterTerm[]
  /** Undefined without filters. */
  readonly filter: RowFilters | undefined
  /** Adds a filter in place of one with the same field and operator. */
  readonly add: (term: RowFilterTerm) => void
  readonly remove: (term: RowFilterTerm) => void
}

/** The server reads no more of them. */
const MAX_TERMS = 20

/** Returns the filters in `where` of the address. Texts that are not filters are left out. */
export function useRowFilters(): RowFilterState {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const terms = termsOf(search["where"])
  const update = (next: readonly RowFilterTerm[]) => {
    const where = next.length === 0 ? undefined : next.map(formatRowFilterTerm)
    // A chosen row is a place among the rows that are shown.
    void navigate({ to: ".", search: (before: object) => ({ ...before, where, at: undefined }), resetScroll: false })
  }
  const without = (term: RowFilterTerm) =>
    terms.filter(({ field, operator }) => field !== term.field || operator !== term.operator)
  return {
    terms,
    filter: terms.length === 0 ? undefined : filterOf(terms),
    add: (term) => update([...without(term), term].slice(-MAX_TERMS)),
    remove: (term) => update(without(term)),
  }
}

function termsOf(where: unknown): readonly RowFilterTerm[] {
  const texts: readonly unknown[] = Array.isArray(where) ? where : [where]
  return texts.slice(0, MAX_TERMS).flatMap((text) => {
    const term = typeof text === "string" ? parseRowFilterTerm(text) : undefined
    return term === undefined ? [] : [term]
  })
}

function filterOf(terms: readonly RowFilterTerm[]): RowFilters {
  const filter: Record<string, Record<string, string>> = {}
  for (const { field, operator, value } of terms) filter[field] = { ...filter[field], [operator]: value }
  return filter
}

/** The longest value that an address should have. */
const MAX_VALUE = 300

/**
 * Returns the filter for one value of a column. Undefined if no filter means exactly this value: an empty text would mean null, and the
 * name of a column with brackets cannot be written into an address.
 */
export function termOfValue(column: string, value: unknown): RowFilterTerm | undefined {
  const text = value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)
  const isExact = value === null || (text !== "" && text === text.trim() && text.length <= MAX_VALUE)
  if (!isExact || /[[\]]/u.test(column)) return undefined
  const field = column.startsWith("/") ? `/${column.replaceAll("~", "~0").replaceAll("/", "~1")}` : column
  return { field, operator: "$eq", value: text }
}
