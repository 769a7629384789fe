import { AssayError } from "@assay/schemas/errors"
import type { FileInfo, FileList } from "@assay/schemas"

const LIST_PAGE_SIZE = 1000

type ReadPage = (query: { limit: number; page_token?: string }, signal: AbortSignal) => Promise<FileList>

/** Every file of a listing in pages. One page is held while the next is on its way. */
export async function* listFiles(
  readPage: ReadPage,
  limit = LIST_PAGE_SIZE,
  signal?: AbortSignal,
): AsyncGenerator<FileInfo, void, undefined> {
  const stop = new AbortController()
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
  try {
    let next: Promise<FileList> | undefined = readPage({ limit }, either)
    while (next !== undefined) {
      const { data, next_page_token }: FileList = await next
      if (!Array.isArray(data)) throw new AssayError("bad_answer", "A page of the file listing has no `data`.")
      next = next_page_token === undefined ? undefined : readPage({ limit, page_token: next_page_token }, either)
      // It is awaited only when this page is used up; until then its failure must not count as unhandled.
      next?.catch(() => undefined)
      yield* data
    }
  } finally {
    stop.abort()
  }
}
