import { linkAbort } from "@assay/http"
import { compareCodePoints } from "../compare-code-points.ts"
import { parseFilePath } from "../file-path.ts"
import type { ListOptions, StoredFile } from "../storage.ts"
import { askPage, type ListPage, type PageQuery } from "./list-page.ts"
import { objstoreTarget, type ObjstoreContext } from "./objstore-context.ts"

/** Files page by page; the next page is asked for while one is read. */
export async function* listFiles(store: ObjstoreContext, options: ListOptions): AsyncGenerator<StoredFile> {
  const { prefix = "", after = "", signal } = options
  signal?.throwIfAborted()
  const target = objstoreTarget(store, "list", prefix)
  const path = prefix.endsWith("/") ? prefix.slice(0, -1) : prefix
  if (prefix !== "") parseFilePath(path)
  const ended = linkAbort(signal)
  const ask = (query: PageQuery) => askPage(store, query, target, ended.signal)
  const folder = path === "" ? "" : `${path}/`
  try {
    const below = { prefix: store.keyPrefix + folder, ...startAfter(store, after) }
    // The file of that name comes before all that is below the folder.
    const named = path === prefix && path !== "" ? ask({ prefix: store.keyPrefix + path, limit: 1 }) : undefined
    named?.catch(() => {})
    let last = ""
    let page: Promise<ListPage> | undefined = ask(below)
    page.catch(() => {})
    const [first] = (await named)?.files ?? []
    if (first !== undefined && first.path === path && compareCodePoints(path, after) > 0) yield first
    while (page !== undefined) {
      const { files, next }: ListPage = await page
      last = files.at(-1)?.path ?? last
      page = next === undefined ? undefined : ask({ ...below, token: next, last })
      page?.catch(() => {})
      for (const file of files) {
        signal?.throwIfAborted()
        yield file
      }
    }
  } finally {
    ended.end()
  }
}

function startAfter({ keyPrefix }: ObjstoreContext, after: string): Pick<PageQuery, "startAfter"> {
  // Half of a surrogate pair can't be sent, and is in no path.
  return after === "" ? {} : { startAfter: keyPrefix + after.toWellFormed() }
}
