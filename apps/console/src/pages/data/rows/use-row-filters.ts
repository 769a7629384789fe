import { formatRowFilterTerm, parseRowFilterTerm, type RowFilters, type RowFilterTerm } from "@assay/client"
import { useNavigate, useSearch } from "@tanstack/react-router"

/** The filters of a file's rows, which are in the address. */
export interface RowFilterState {
  readonly terms: readonly RowFilterTerm[]
  /** Undefined without filters. */
  readonly filter: RowFilters | undefined
  /** Adds filters, each instead of one with the same field and operator. */
  readonly add: (...added: readonly RowFilterTerm[]) => void
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
    // A chosen row is a position among the rows that are shown.
    void navigate({ to: ".", search: (before: object) => ({ ...before, where, at: undefined }), resetScroll: false })
  }
  const without = (left: readonly RowFilterTerm[]) =>
    terms.filter((term) => !left.some(({ field, operator }) => field === term.field && operator === term.operator))
  return {
    terms,
    filter: terms.length === 0 ? undefined : filterOf(terms),
    add: (...added) => update([...without(added), ...added].slice(-MAX_TERMS)),
    remove: (term) => update(without([term])),
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
 * Returns the filter for one value of a column. Empty if no filter means exactly this value: an empty text would mean null, and the name of a
 * column with brackets cannot be written into an address.
 */
export function termOfValue(column: string, value: unknown): readonly RowFilterTerm[] {
  const text = value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)
  const isExact = value === null || (text !== "" && text === text.trim() && text.length <= MAX_VALUE)
  const field = fieldOf(column)
  return isExact && field !== undefined ? [{ field, operator: "$eq", value: text }] : []
}

/** Returns the filters for the numbers of a bin. */
export function termsOfBin(
  column: string,
  { lower_bound: lower, upper_bound: upper }: { readonly lower_bound: number; readonly upper_bound: number },
): readonly RowFilterTerm[] {
  const field = fieldOf(column)
  if (field === undefined) return []
  return [
    { field, operator: "$gte", value: String(lower) },
    { field, operator: "$lt", value: String(upper) },
  ]
}

function fieldOf(column: string): string | undefined {
  if (/[[\]]/u.test(column)) return undefined
  return column.startsWith("/") ? `/${column.replaceAll("~", "~0").replaceAll("/", "~1")}` : column
}
