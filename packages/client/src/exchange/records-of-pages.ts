import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Pagination } from "@assay/schemas"

export interface RecordPage<T> {
  readonly data: readonly T[]
  readonly pagination?: Pagination
}

/** Which page to read, counted from 1. */
export interface PageOfRecords {
  readonly page: number
  readonly page_size: number
}

/**
 * Yields every record of a paged listing, and holds one page at a time. It ends after the last page, or at the first empty one.
 * If the records of a page are too large for one answer, it requests a tenth of them.
 * @param pageSize a power of ten
 */
export async function* recordsOfPages<T>(
  pageSize: number,
  readPage: (page: PageOfRecords) => Promise<RecordPage<T>>,
): AsyncGenerator<T, void, undefined> {
  let page_size = pageSize
  for (let read = 0; ;) {
    const answer = await orTooLarge(readPage({ page: read / page_size + 1, page_size }), page_size)
    if (answer === undefined) {
      page_size /= 10
      continue
    }
    const { data, pagination } = answer
    if (!Array.isArray(data)) throw new AssayError("bad_answer", "A page of the listing has no `data`.")
    yield* data
    read += page_size
    if (data.length === 0 || read / page_size >= (pagination?.total_pages ?? Infinity)) return
    if (read % pageSize === 0) page_size = pageSize
  }
}

/** Returns undefined if the page is too large and a smaller one is possible. */
async function orTooLarge<T>(answer: Promise<T>, pageSize: number): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (pageSize > 1 && isAssayError(error, "too_large")) return undefined
    throw error
  }
}
