import { AssayError } from "@assay/schemas/errors"
import type { Pagination } from "@assay/schemas"

export interface RecordPage<T> {
  readonly data: readonly T[]
  readonly pagination?: Pagination
}

/** Every record of a listing in pages, one page held at a time. Ends at the first page that is not full. */
export async function* recordsOfPages<T>(
  readPage: (page: number) => Promise<RecordPage<T>>,
): AsyncGenerator<T, void, undefined> {
  for (let number = 1; ; number += 1) {
    const { data, pagination } = await readPage(number)
    if (!Array.isArray(data)) throw new AssayError("bad_answer", "A page of the listing has no `data`.")
    yield* data
    if (data.length === 0 || number >= (pagination?.total_pages ?? number + 1)) return
  }
}
