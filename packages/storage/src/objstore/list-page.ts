import { compareCodePoints } from "../compare-code-points.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { isFilePath } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"
import { askDocument } from "./ask-document.ts"
import type { ObjstoreContext } from "./objstore-context.ts"
import { parseTime, strongEtag } from "./stored-file.ts"
import { elementText } from "./xml.ts"

export interface ListPage {
  /** In the order of their paths. */
  readonly files: readonly StoredFile[]
  /** Where the next page begins; absent on the last one. */
  readonly next?: string
}

export interface PageQuery {
  /** All keys listed begin with this. */
  readonly prefix: string
  /** Only keys after this one, in code-point order. */
  readonly startAfter?: string
  readonly limit?: number
  /** `next` of the page before. */
  readonly token?: string
  /** The last path of the pages before. */
  readonly last?: string
}

const PAGE = 1000
const OPEN = "<Contents>"
const CLOSE = "</Contents>"

/** One page of a listing. Keys that are no path of a file, such as those that stand for folders, are left out. */
export async function askPage(
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
  const xml = await askDocument(store, { method: "GET", query }, { root: "ListBucketResult", target, signal })
  const files = parseFiles(xml, { keyPrefix: store.keyPrefix, last, target })
  // What is told of the page stands before its keys or behind them.
  const frame = xml.slice(0, Math.max(0, xml.indexOf(OPEN))) + xml.slice(xml.lastIndexOf(CLOSE) + 1)
  if (elementText(frame, "IsTruncated") !== "true") return { files }
  const next = elementText(frame, "NextContinuationToken") ?? ""
  if (next !== "" && next !== token) return { files, next }
  throw remoteError(
    "upstream_failed",
    target,
    "it says that there are more files, and not where; ask who runs the store.",
  )
}

interface Expected {
  readonly keyPrefix: string
  readonly last: string | undefined
  readonly target: RemoteTarget
}

/** Written for a thousand keys in a millisecond or two: a general parser takes ten. */
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
      throw remoteError("upstream_failed", target, "it lists what it was not asked for; check `endpoint_url`.")
    }
    const path = key.slice(keyPrefix.length)
    if (!isFilePath(path)) continue
    if (compareCodePoints(path, before) <= 0) {
      throw remoteError(
        "upstream_failed",
        target,
        "it lists files out of order, so that some could be missed; ask who runs the store.",
      )
    }
    before = path
    const etag = strongEtag(elementText(entry, "ETag"))
    files.push({ path, size, etag, sha256: null, updatedAt: parseTime(elementText(entry, "LastModified")) })
  }
  return files
}

/** Encoded as in a form, where a plus sign is a space and a plus sign itself is encoded. */
function decodeKey(text: string, isEncoded: boolean): string | undefined {
  if (!isEncoded || !/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}
