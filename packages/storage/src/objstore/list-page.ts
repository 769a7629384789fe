import { compareCodePoints, isFilePath } from "../file-path.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import type { StoredFile, StoredFolder } from "../storage.ts"
import type { ObjstoreContext } from "./context.ts"
import { requestDocument } from "./responses/request-document.ts"
import { parseTime, strongEtag } from "./responses/stored-file.ts"
import { elementText } from "./responses/xml.ts"

/** A page of a listing of a bucket. */
export interface ListPage {
  /** In the order of their paths. */
  readonly files: readonly StoredFile[]
  /** In the order of their paths. Empty without a delimiter. */
  readonly folders: readonly StoredFolder[]
  /** Token of the next page. Absent on the last page. */
  readonly next?: string
}

export interface PageQuery {
  /** Prefix of all listed keys. */
  readonly prefix: string
  /** List only keys after this one, in code-point order. */
  readonly startAfter?: string
  readonly limit?: number
  /** Keys with this text after the prefix are replaced by their common prefixes. */
  readonly delimiter?: string
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
export async function requestPage(
  store: ObjstoreContext,
  { prefix, startAfter, limit = PAGE, delimiter, token, last }: PageQuery,
  target: RemoteTarget,
  signal?: AbortSignal,
): Promise<ListPage> {
  const query = {
    "list-type": "2",
    "encoding-type": "url",
    "max-keys": String(limit),
    prefix,
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(startAfter === undefined ? {} : { "start-after": startAfter }),
    ...(token === undefined ? {} : { "continuation-token": token }),
  }
  const xml = await requestDocument(store, { method: "GET", query }, { root: "ListBucketResult", target, signal })
  const expected = { keyPrefix: store.keyPrefix, last, target }
  const files = parseFiles(xml, expected)
  const folders = delimiter === undefined ? [] : parseFolders(xml, expected)
  // The properties of the page are before or after its keys.
  const frame = xml.slice(0, Math.max(0, xml.indexOf(OPEN))) + xml.slice(xml.lastIndexOf(CLOSE) + 1)
  if (elementText(frame, "IsTruncated") !== "true") return { files, folders }
  const next = elementText(frame, "NextContinuationToken") ?? ""
  if (next !== "" && next !== token) return { files, folders, next }
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
function parseFiles(xml: string, expected: Expected): readonly StoredFile[] {
  const files: StoredFile[] = []
  const pathOf = pathsInOrder(xml, expected)
  for (const entry of elementsOf(xml, OPEN, CLOSE)) {
    const path = pathOf(elementText(entry, "Key"))
    const size = Number(elementText(entry, "Size") ?? Number.NaN)
    if (path === undefined || !Number.isSafeInteger(size)) throw notRequested(expected)
    if (!isFilePath(path)) continue
    const etag = strongEtag(elementText(entry, "ETag"))
    files.push({ path, size, etag, sha256: null, updatedAt: parseTime(elementText(entry, "LastModified")) })
  }
  return files
}

/** Parses the common prefixes of a page, which end with a slash. */
function parseFolders(xml: string, expected: Expected): readonly StoredFolder[] {
  const folders: StoredFolder[] = []
  const pathOf = pathsInOrder(xml, expected)
  for (const entry of elementsOf(xml, "<CommonPrefixes>", "</CommonPrefixes>")) {
    const path = pathOf(elementText(entry, "Prefix"))
    if (path === undefined || !path.endsWith("/")) throw notRequested(expected)
    if (isFilePath(path.slice(0, -1))) folders.push({ path })
  }
  return folders
}

function* elementsOf(xml: string, start: string, end: string): Generator<string, void, undefined> {
  for (let open = xml.indexOf(start); open >= 0;) {
    const close = xml.indexOf(end, open)
    yield xml.slice(open + start.length, close)
    open = close < 0 ? -1 : xml.indexOf(start, close)
  }
}

/** Returns a function that decodes keys, and refuses paths that are not after all paths before. */
function pathsInOrder(xml: string, { keyPrefix, last = "", target }: Expected) {
  const isEncoded = elementText(xml, "EncodingType") === "url"
  let before = last
  return (text: string | undefined): string | undefined => {
    const key = decodeKey(text ?? "", isEncoded)
    if (key === undefined || !key.startsWith(keyPrefix)) return undefined
    const path = key.slice(keyPrefix.length)
    if (!isFilePath(path.endsWith("/") ? path.slice(0, -1) : path)) return path
    if (compareCodePoints(path, before) <= 0) {
      throw remoteError(
        "upstream_failed",
        target,
        "it lists files out of order, so that some could be missed; ask the operator of the store.",
      )
    }
    before = path
    return path
  }
}

function notRequested({ target }: Expected): Error {
  return remoteError("upstream_failed", target, "it lists files that were not requested; check `endpoint_url`.")
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
