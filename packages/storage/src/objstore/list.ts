import { linkAbort } from "@assay/http"
import { compareCodePoints, isFilePath, parseFilePath } from "../file-path.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import type { ListOptions, StoredFile } from "../storage.ts"
import { objstoreTarget, type ObjstoreContext } from "./context.ts"
import { requestDocument } from "./responses/request-document.ts"
import { parseTime, strongEtag } from "./responses/stored-file.ts"
import { elementText } from "./responses/xml.ts"

/** Lists files page by page. The next page is requested while one is read. */
export async function* listFiles(store: ObjstoreContext, options: ListOptions): AsyncGenerator<StoredFile> {
  const { prefix = "", after = "", signal } = options
  signal?.throwIfAborted()
  const target = objstoreTarget(store, "list", prefix)
  const path = prefix.endsWith("/") ? prefix.slice(0, -1) : prefix
  if (prefix !== "") parseFilePath(path)
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

function startAfter({ keyPrefix }: ObjstoreContext, after: string): Pick<PageQuery, "startAfter"> {
  // An unpaired surrogate can't be sent, and no path contains one.
  return after === "" ? {} : { startAfter: keyPrefix + after.toWellFormed() }
}

interface ListPage {
  /** In the order of their paths. */
  readonly files: readonly StoredFile[]
  /** Token of the next page. Absent on the last page. */
  readonly next?: string
}

interface PageQuery {
  /** Prefix of all listed keys. */
  readonly prefix: string
  /** List only keys after this one, in code-point order. */
  readonly startAfter?: string
  readonly limit?: number
  /** `next` of the previous page. */
  readonly token?: string
  /** The last path of the previous pages. */
  readonly last?: string
}

const PAGE = 1000
const OPEN = "<Contents>"
const CLOSE = "</Contents>"

/**
 * Requests one page of a listing. Keys that are not valid paths, such as those that represent folders, are left out.
 */
async function requestPage(
  store: ObjstoreContext,
  { prefix, startAfter, limit = PAGE, token, last }: PageQuery,
  target: RemoteTarget,
  signal?: AbortSignal,
): Promise<ListPage> {
  const query = {
    "list-type": "2",
    "encoding-type": "url",
    "max-keys": String(limit),
    prefix,
    ...(startAfter === undefined ? {} : { "start-after": startAfter }),
    ...(token === undefined ? {} : { "continuation-token": token }),
  }
  const xml = await requestDocument(store, { method: "GET", query }, { root: "ListBucketResult", target, signal })
  const files = parseFiles(xml, { keyPrefix: store.keyPrefix, last, target })
  // The properties of the page are before or after its keys.
  const frame = xml.slice(0, Math.max(0, xml.indexOf(OPEN))) + xml.slice(xml.lastIndexOf(CLOSE) + 1)
  if (elementText(frame, "IsTruncated") !== "true") return { files }
  const next = elementText(frame, "NextContinuationToken") ?? ""
  if (next !== "" && next !== token) return { files, next }
  throw remoteError(
    "upstream_failed",
    target,
    "it says that there are more files, but not where; ask the operator of the store.",
  )
}

interface Expected {
  readonly keyPrefix: string
  readonly last: string | undefined
  readonly target: RemoteTarget
}

/** Parses the files of a page. It takes 1 or 2 ms for a thousand keys, where a general parser takes 10 ms. */
function parseFiles(xml: string, { keyPrefix, last = "", target }: Expected): readonly StoredFile[] {
  const isEncoded = elementText(xml, "EncodingType") === "url"
  const files: StoredFile[] = []
  let before = last
  for (let open = xml.indexOf(OPEN); open >= 0;) {
    const close = xml.indexOf(CLOSE, open)
    const entry = xml.slice(open + OPEN.length, close)
    open = xml.indexOf(OPEN, close)
    const key = decodeKey(elementText(entry, "Key") ?? "", isEncoded)
    const size = Number(elementText(entry, "Size") ?? Number.NaN)
    if (key === undefined || !key.startsWith(keyPrefix) || !Number.isSafeInteger(size)) {
      throw remoteError("upstream_failed", target, "it lists files that were not requested; check `endpoint_url`.")
    }
    const path = key.slice(keyPrefix.length)
    if (!isFilePath(path)) continue
    if (compareCodePoints(path, before) <= 0) {
      throw remoteError(
        "upstream_failed",
        target,
        "it lists files out of order, so that some could be missed; ask the operator of the store.",
      )
    }
    before = path
    const etag = strongEtag(elementText(entry, "ETag"))
    files.push({ path, size, etag, sha256: null, updatedAt: parseTime(elementText(entry, "LastModified")) })
  }
  return files
}

/** Decodes a key in form encoding, where `+` is a space. */
function decodeKey(text: string, isEncoded: boolean): string | undefined {
  if (!isEncoded || !/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}
