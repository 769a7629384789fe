import type { Pagination } from "@assay/schemas"
import type { RowSource } from "./row-source.ts"
import { usePagedRows, type PagedRows } from "./use-paged-rows.ts"

/** A page of records, as listings return it. */
interface RecordPage<Record> {
  readonly data: readonly Record[]
  readonly pagination?: Pick<Pagination, "total_results"> | undefined
}

export interface RecordRows<Record> extends Omit<PagedRows<Record>, "fetchPage"> {
  readonly fetchRecords: (
    page: { readonly page: number; readonly page_size: number },
    call: { readonly signal: AbortSignal | undefined },
  ) => Promise<RecordPage<Record>>
}

/** Returns the source of records that a listing returns page by page, as they become visible. */
export function useRecordRows<Record>({ fetchRecords, ...paged }: RecordRows<Record>): RowSource<Record> {
  return usePagedRows<Record>({
    ...paged,
    fetchPage: async (offset, limit, signal) => {
      const { data, pagination } = await fetchRecords({ page: offset / limit + 1, page_size: limit }, { signal })
      return { rows: data, total: pagination?.total_results ?? data.length }
    },
  })
}
