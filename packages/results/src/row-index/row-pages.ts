import { invalidRequest, parseRowFilters, parseRowSort, rowFieldsOf, type ScoredRowPage } from "@assay/schemas"
import type { JobRows } from "./job-rows.ts"
import type { RowLines } from "./journal-source.ts"

/** A page of scored rows as callers ask for it. */
export interface RowPageQuery {
  readonly task?: string | undefined
  /** The parameters of filters, decoded. */
  readonly parameters: readonly (readonly [string, string])[]
  readonly sort: string
  readonly offset: number
  readonly limit: number
  /** Ends a search for a caller that has left. */
  readonly signal?: AbortSignal | undefined
}

/** Reads a page of scored rows. @throws `bad_filter`, `unknown_filter_field`, `invalid_request` */
export async function readRowPage(
  index: Pick<JobRows, "page">,
  { job, against }: { readonly job: RowLines; readonly against?: RowLines | undefined },
  { task, parameters, sort: text, offset, limit, signal }: RowPageQuery,
): Promise<ScoredRowPage> {
  const sort = parseRowSort(text)
  if (sort.by === "changed" && against === undefined) {
    throw invalidRequest(["query", "against"], "Rows sorted by change need the other job in `against`", "missing")
  }
  const selection = { task, filters: parseRowFilters(parameters), sort, offset, limit }
  const { rows, scores, total, matched } = await index.page(job, selection, { against, signal })
  return {
    object: "list",
    data: rows.map(({ row, condition, verdict, other }) => ({
      ...rowFieldsOf(row),
      condition,
      verdict,
      ...(against === undefined ? {} : { against: other === null ? null : rowFieldsOf(other) }),
    })),
    scores: [...scores],
    total,
    matched,
    next_offset: nextOffset(offset, rows.length, matched),
  }
}

/** Returns the offset of the next page; null after the last one. @param count rows of this page */
export function nextOffset(offset: number, count: number, matched: number): number | null {
  return count > 0 && offset + count < matched ? offset + count : null
}
