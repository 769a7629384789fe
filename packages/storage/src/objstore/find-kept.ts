import type { HttpHeaders } from "@assay/http"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import type { StoredFile } from "../storage.ts"
import { send } from "./client.ts"
import { headObject } from "./head-object.ts"
import type { ObjstoreContext } from "./objstore-context.ts"
import { DIGEST_HEADER, storedFile, strongEtag } from "./stored-file.ts"
import { MARK_HEADER } from "./write-mark.ts"

export interface Written {
  readonly key: string
  readonly file: StoredFile
  /** The ETag with which the store answered, if it told one. */
  readonly etag: string | null
  /** The mark that went with it; without one, the digest did. */
  readonly mark: string | undefined
  readonly target: RemoteTarget
  readonly signal: AbortSignal
}

/**
 * What the store made of a write; undefined where that can't be found, or where something else has taken its place. A file
 * that was not kept as it was sent is removed.
 * @throws `upstream_failed` for such a file
 */
export async function findKept(
  store: ObjstoreContext,
  { key, file, etag, mark, target, signal }: Written,
): Promise<StoredFile | undefined> {
  const head = await headObject(store, key, target, signal)
  if (head === undefined) return undefined
  const found = { ...storedFile(file.path, head.size, head.headers), sha256: file.sha256 }
  if (!isOf(head.headers, file.sha256, etag, mark)) return undefined
  if (found.size === file.size) return found
  const removing = await send(store, { method: "DELETE", key }, target, signal)
  removing.body.destroy()
  const what = `it kept ${found.size} bytes of the ${file.size} that were sent, so the file was removed again; ask who runs the store.`
  throw remoteError("upstream_failed", target, what)
}

/** Told by what was sent along. ETags are for stores that keep nothing of it: Swift answers with one of another writer. */
function isOf(headers: HttpHeaders, sha256: string | null, etag: string | null, mark: string | undefined): boolean {
  const { [DIGEST_HEADER]: digest, [MARK_HEADER]: keptMark } = headers
  if (digest === undefined && keptMark === undefined) return etag !== null && strongEtag(headers["etag"]) === etag
  return mark === undefined ? digest === sha256 : keptMark === mark
}
