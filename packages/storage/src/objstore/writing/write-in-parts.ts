import type { StoredFile } from "../../storage.ts"
import { DIGEST_HEADER, parseTime, strongEtag } from "../responses/stored-file.ts"
import type { ObjstoreContext } from "../context.ts"
import type { Writing } from "../write.ts"
import { findWritten, MARK_HEADER, newMark } from "./find-written.ts"
import type { Part } from "./gather-parts.ts"
import { uploadParts } from "./multipart-upload.ts"
import { checkCondition, withConditions } from "./conditional-write.ts"

/** Writes a file as a multipart upload. */
export async function writeInParts(
  store: ObjstoreContext,
  writing: Writing,
  parts: AsyncIterable<Part>,
): Promise<StoredFile> {
  const { path, key, target, options, ended, finish } = writing
  const conditional = { key, kind: "upload", options, target } as const
  await checkCondition(store, conditional)
  const mark = newMark(store.remote)
  // Metadata is sent before the bytes, so a digest is stored only if it was announced.
  const digest = options.sha256 === undefined ? {} : { [DIGEST_HEADER]: options.sha256 }
  return uploadParts(store, key, parts, {
    headers: { ...digest, [MARK_HEADER]: mark },
    target,
    ended,
    async complete(upload, etags) {
      const { size, sha256 } = finish()
      const completed = await withConditions(store, conditional, (conditions) =>
        upload.complete(etags, conditions, { signal: ended.signal, onProgress: options.onProgress }),
      ).then(
        (etag) => ({ etag, failure: undefined }),
        (failure: unknown) => ({ etag: "", failure }),
      )
      const updatedAt = parseTime(new Date(store.remote.now()).toISOString())
      const etag = strongEtag(completed.etag)
      const file = { path, size, sha256, etag, updatedAt }
      const found = await findWritten(store, { key, file, etag, mark, target, signal: ended.signal })
      if (found === undefined && completed.failure !== undefined) throw completed.failure
      return found ?? file
    },
  })
}
