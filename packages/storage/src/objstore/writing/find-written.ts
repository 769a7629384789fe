import type { HttpHeaders } from "@assay/http"
import type { RemoteContext } from "../../remote/remote-context.ts"
import { remoteError, type RemoteTarget } from "../../remote/remote-error.ts"
import type { StoredFile } from "../../storage.ts"
import { send } from "../client.ts"
import type { ObjstoreContext } from "../context.ts"
import { DIGEST_HEADER, headObject, storedFile, strongEtag } from "../responses/stored-file.ts"

interface Written {
  readonly key: string
  readonly file: StoredFile
  /** The ETag in the response, if there was one. */
  readonly etag: string | null
  /** The mark sent with the write. Without one, the digest was sent. */
  readonly mark: string | undefined
  readonly target: RemoteTarget
  readonly signal: AbortSignal
}

/**
 * Finds what the store made of a write. Returns undefined if that is unknown or if another file has replaced it. A file
 * that was not stored as it was sent is removed.
 * @throws `upstream_failed` for such a file
 */
export async function findWritten(
  store: ObjstoreContext,
  { key, file, etag, mark, target, signal }: Written,
): Promise<StoredFile | undefined> {
  const head = await headObject(store, key, target, signal)
  if (head === undefined) return undefined
  const found = { ...storedFile(file.path, head.size, head.headers), sha256: file.sha256 }
  if (!isFromWrite(head.headers, file.sha256, etag, mark)) return undefined
  if (found.size === file.size) return found
  const removing = await send(store, { method: "DELETE", key }, target, signal)
  removing.body.destroy()
  const what = `it kept ${found.size} bytes of the ${file.size} that were sent, so the file was removed again; ask the operator of the store.`
  throw remoteError("upstream_failed", target, what)
}

/**
 * Returns whether an object is the one written, by the headers that were sent. ETags are used only for stores that keep
 * none of these headers: Swift may respond with the ETag of another writer.
 */
function isFromWrite(
  headers: HttpHeaders,
  sha256: string | null,
  etag: string | null,
  mark: string | undefined,
): boolean {
  const { [DIGEST_HEADER]: digest, [MARK_HEADER]: keptMark } = headers
  if (digest === undefined && keptMark === undefined) return etag !== null && strongEtag(headers["etag"]) === etag
  return mark === undefined ? digest === sha256 : keptMark === mark
}

/**
 * Metadata that identifies a write. If a response is lost, it shows whether the write happened, even if another writer
 * stored the same bytes.
 */
export const MARK_HEADER = "x-amz-meta-assay-write"

export function newMark({ now, random }: RemoteContext): string {
  return `${now().toString(36)}-${Math.floor(random() * 2 ** 48).toString(36)}`
}
