import { linkAbort } from "@assay/http"
import { compareCodePoints, parsePrefix } from "../file-path.ts"
import type { LevelOptions, ListOptions, StoredFile, StoredFolder } from "../storage.ts"
import { objstoreTarget, type ObjstoreContext } from "./context.ts"
import { requestPage, type ListPage, type PageQuery } from "./list-page.ts"

/** Lists files page by page. The next page is requested while one is read. */
export async function* listFiles(store: ObjstoreContext, options: ListOptions): AsyncGenerator<StoredFile> {
  const { prefix = "", after = "", signal } = options
  signal?.throwIfAborted()
  const target = objstoreTarget(store, "list", prefix)
  const path = parsePrefix(prefix)
  const ended = linkAbort(signal)
  const ask = (query: PageQuery) => requestPage(store, query, target, ended.signal)
  const folder = path === "" ? "" : `${path}/`
  try {
    const below = { prefix: store.keyPrefix + folder, ...startAfter(store, after) }
    // The file named like the folder comes before the files below it.
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

/**
 * Lists the keys of one folder and the common prefixes of all others, page by page: a folder of a million files costs as much as one
 * file.
 */
export async function* listLevel(
  store: ObjstoreContext,
  { folder, after = "", signal, onProgress }: LevelOptions,
): AsyncGenerator<StoredFile | StoredFolder> {
  signal?.throwIfAborted()
  parsePrefix(folder)
  const target = objstoreTarget(store, "list", folder)
  // Some stores name a folder again after its own name. This is behind all keys that begin with it, but for those that no keyboard writes.
  const start = after.endsWith("/") ? `${after}\u{10FFFF}` : after
  const below = { prefix: store.keyPrefix + folder, delimiter: "/", ...startAfter(store, start) }
  let last = ""
  let token: string | undefined
  do {
    const position: Partial<PageQuery> = token === undefined ? {} : { token }
    const page: ListPage = await requestPage(store, { ...below, ...position, last }, target, signal)
    onProgress?.()
    const entries = [...page.files, ...page.folders].toSorted((a, b) => compareCodePoints(a.path, b.path))
    for (const entry of entries) {
      signal?.throwIfAborted()
      if (entry.path !== after) yield entry
    }
    last = entries.at(-1)?.path ?? last
    token = page.next
  } while (token !== undefined)
}

function startAfter({ keyPrefix }: ObjstoreContext, after: string): Pick<PageQuery, "startAfter"> {
  // An unpaired surrogate can't be sent, and no path contains one.
  return after === "" ? {} : { startAfter: keyPrefix + after.toWellFormed() }
}
