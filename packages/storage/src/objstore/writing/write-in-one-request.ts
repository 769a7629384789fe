import { isAssayError } from "@assay/schemas"
import type { StoredFile } from "../../storage.ts"
import { DIGEST_HEADER, storedFile, strongEtag } from "../responses/stored-file.ts"
import type { ObjstoreContext } from "../context.ts"
import type { Writing } from "../write.ts"
import { findWritten, MARK_HEADER, newMark } from "./find-written.ts"
import { putObject } from "./put-object.ts"
import { withConditions } from "./conditional-write.ts"

/** Writes a file in one request. */
export async function writeInOneRequest(
  store: ObjstoreContext,
  writing: Writing,
  bytes: Uint8Array,
): Promise<StoredFile> {
  const { path, key, target, options, ended, finish } = writing
  const { size, sha256 } = finish()
  return withConditions(store, { key, kind: "put", options, target }, async (conditions) => {
    // Without a condition, repeating a request whose response was lost has the same result.
    const mark = Object.keys(conditions).length === 0 ? undefined : newMark(store.remote)
    const kept = { [DIGEST_HEADER]: sha256, ...(mark === undefined ? {} : { [MARK_HEADER]: mark }) }
    const written = { key, mark, target, signal: ended.signal }
    try {
      const put = await putObject(store, key, { bytes, sha256 }, { ...kept, ...conditions }, target, ended.signal)
      const { date = "", ...headers } = put.headers
      const etag = `"${put.md5}"`
      const file = { ...storedFile(path, size, { "last-modified": date, ...headers }), sha256, etag }
      const answered = strongEtag(headers["etag"])
      // This ETag is the digest of what the store received. Any other ETag says nothing.
      if (answered === etag) return file
      return (await findWritten(store, { ...written, file, etag: answered })) ?? file
    } catch (error) {
      if (mark === undefined || !isAssayError(error, "precondition_failed")) throw error
      const file: StoredFile = { path, size, sha256, etag: null, updatedAt: null }
      const found = await findWritten(store, { ...written, file, etag: null })
      if (found === undefined) throw error
      return found
    }
  })
}
