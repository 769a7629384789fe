import type { RowFilters } from "@assay/client"
import type { ComparedRow, ComparedRowPage, ComparedRowSort, Comparison } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useClient } from "../../../api/use-client.ts"
import type { RowSource } from "../../../table/row-source.ts"
import { useTableSearch } from "../../../table/table-search.ts"
import { usePagedRows } from "../../../table/use-paged-rows.ts"
import type { ComparedScore } from "./compared-scores.ts"
import { selectionOf } from "./flips.ts"
import type { ComparedView } from "./use-compared-view.ts"

/** Rows from which the columns are chosen. */
const SAMPLE = 20

export interface ComparedRowsOptions {
  /** The id of the baseline. */
  readonly a: string
  readonly view: ComparedView
  readonly compared: ComparedScore
  /** Jobs whose scores are shown beside those of both. */
  readonly others: Comparison["jobs"]
}

export interface FoundRows {
  readonly rows: RowSource<ComparedRow>
  /** The first rows, whatever the filters, with the numbers of all. */
  readonly first: ComparedRowPage | undefined
  readonly sort: ComparedRowSort
}

/** Returns the rows of both jobs by one score, in the order and with the filters of the address, and how many there are. */
export function useComparedRows({ a, view, compared: { score }, others }: ComparedRowsOptions): FoundRows {
  const client = useClient()
  const [{ sort: given, q }] = useTableSearch()
  const sort = (given ?? "changed") as ComparedRowSort
  const { task, metric } = score
  const { change, filter = {} } = selectionOf(view.flip, score)
  const filters: RowFilters = { ...filter, ...(q === undefined ? {} : { text: { $like: q } }) }
  const pair = { a, b: view.job, task, metric: `${metric}.${score.score}` }
  const query = {
    ...pair,
    sort,
    ...(change === undefined ? {} : { change }),
    ...(Object.keys(filters).length === 0 ? {} : { filter: filters }),
    ...(others.length === 0 ? {} : { others: others.map(({ id }) => id).join(",") }),
  }
  const rows = usePagedRows<ComparedRow>({
    queryKey: ["jobs", "compare", "rows", query],
    fetchPage: async (offset, limit, signal) => {
      const found: ComparedRow[] = []
      // Large rows make a page smaller than asked for.
      for (;;) {
        const next = { ...query, offset: offset + found.length, limit: limit - found.length }
        const page = await client.evaluation.compareRows(next, { signal })
        found.push(...page.data)
        if (page.next_offset === null || page.data.length === 0 || found.length >= limit)
          return { rows: found, total: page.matched }
      }
    },
  })
  const { data: first } = useQuery({
    queryKey: ["jobs", "compare", "first", pair],
    queryFn: ({ signal }) => client.evaluation.compareRows({ ...pair, sort: "index", limit: SAMPLE }, { signal }),
  })
  return { rows, first, sort }
}
