import type { RowFilters } from "@assay/client"
import type { EvaluationJob, ScoredRow } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useSearchValue } from "../../../components/use-search-value.ts"
import type { RowSource } from "../../../table/row-source.ts"
import { useTableSearch } from "../../../table/table-search.ts"
import { usePagedRows } from "../../../table/use-paged-rows.ts"
import { useRowFilters } from "../../data/rows/use-row-filters.ts"
import { failingFilters, rowLimits, type RowLimit } from "./failing-rows.ts"
import { itemFields, type ItemField } from "./item-columns.ts"
import { askedFields } from "./template-fields.ts"

/** Rows from which the columns are chosen. */
const SAMPLE = 50
/** Characters of a text that a table keeps. The panel of a row reads all of them. */
const MAX_KEPT = 20_000

export interface ScoredRows {
  readonly rows: RowSource<ScoredRow>
  /** The names of all scores, as `metric.score`. */
  readonly scores: readonly string[]
  /** The fields of items that can be columns. */
  readonly fields: readonly ItemField[]
  /** The limits below which a row fails. */
  readonly limits: readonly RowLimit[]
  readonly sort: string
  readonly isFiltered: boolean
  /** Whether the rows and what they must keep are known. */
  readonly isReady: boolean
}

/** Returns the rows of a job that the address chooses, in its order, and what their columns can be. */
export function useScoredRows(job: EvaluationJob): ScoredRows {
  const client = useClient()
  const [{ sort = "index", q }] = useTableSearch()
  const [task] = useSearchValue("task")
  const [shown] = useSearchValue("shown")
  const [condition] = useSearchValue("condition")
  const { filter: chosen } = useRowFilters()
  const ofTask = task === undefined ? {} : { task }
  const { data: sample } = useQuery({
    queryKey: ["jobs", job.id, "rows", "sample", task],
    queryFn: async ({ signal }) => {
      const { data, scores } = await client.evaluation.jobs.rows(job.id, { limit: SAMPLE, ...ofTask }, { signal })
      return { scores, items: data.map((row) => shortened(row).item) }
    },
  })
  const scores = sample?.scores ?? NO_SCORES
  const limits = useMemo(() => rowLimits(job.config, scores, task), [job.config, scores, task])
  const fields = useMemo(() => itemFields(sample?.items ?? [], askedFields(job.config)), [job.config, sample])
  const filter: RowFilters = {
    ...chosen,
    ...filtersOfChoice(shown, limits),
    ...(condition === undefined ? {} : { condition: { $eq: condition } }),
    ...(q === undefined ? {} : { text: { $like: q } }),
  }
  const query = { sort, filter, ...ofTask }
  const rows = usePagedRows<ScoredRow>({
    queryKey: ["jobs", job.id, "rows", query],
    fetchPage: async (offset, limit, signal) => {
      const found: ScoredRow[] = []
      // Large rows make a page smaller than asked for.
      for (;;) {
        const next = { ...query, offset: offset + found.length, limit: limit - found.length }
        const page = await client.evaluation.jobs.rows(job.id, next, signal === undefined ? {} : { signal })
        found.push(...page.data.map(shortened))
        if (page.next_offset === null || page.data.length === 0 || found.length >= limit)
          return { rows: found, total: page.matched }
      }
    },
  })
  return {
    rows,
    scores,
    fields,
    limits,
    sort,
    isFiltered: Object.keys(filter).length > 0,
    isReady: sample !== undefined && !rows.isLoading,
  }
}

const NO_SCORES: readonly string[] = []

function filtersOfChoice(shown: string | undefined, limits: readonly RowLimit[]): RowFilters {
  if (shown === "failing") return failingFilters(limits)
  if (shown === "failed") return { error: { $nin: "null" } }
  return shown === "answered" ? { error: { $eq: "null" } } : {}
}

/** Cuts long texts of a row, so that a page of large rows stays small. */
function shortened(row: ScoredRow): ScoredRow {
  const cut = (value: unknown) =>
    typeof value === "string" && value.length > MAX_KEPT ? `${value.slice(0, MAX_KEPT).toWellFormed()}…` : value
  const item = Object.fromEntries(Object.entries(row.item).map(([name, value]) => [name, cut(value)]))
  return { ...row, item, output: cut(row.output) as string | null }
}
