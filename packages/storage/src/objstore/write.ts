import { createHash } from "node:crypto"
import { linkAbort, untilAborted, type LinkedAbort } from "@assay/http"
import { isAssayError } from "@assay/schemas"
import { checkDigest } from "../check-digest.ts"
import type { FilePath } from "../file-path.ts"
import type { RemoteTarget } from "../remote/remote-error.ts"
import type { StoredFile, WriteOptions } from "../storage.ts"
import { objstoreTarget, type ObjstoreContext } from "./context.ts"
import { DIGEST_HEADER, parseTime, storedFile, strongEtag } from "./responses/stored-file.ts"
import { keepingObject } from "./kept-bytes.ts"
import { checkCondition, withConditions } from "./writing/conditional-write.ts"
import { MARK_HEADER, findWritten, newMark } from "./writing/find-written.ts"
import { gatherParts, type Part } from "./writing/gather-parts.ts"
import { uploadParts } from "./writing/multipart-upload.ts"
import { putObject } from "./writing/put-object.ts"

/**
 * Writes a file. A file that fits into one part is sent in one request, any other in parts. Either way it is stored
 * completely or not at all.
 */
export async function writeFile(
  store: ObjstoreContext,
  path: FilePath,
  bytes: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<StoredFile> {
  options.signal?.throwIfAborted()
  const writing = startWriting(store, path, options)
  const { ended, count } = writing
  const parts = gatherParts(untilAborted(bytes, ended.signal), count)
  try {
    const { value: first } = await parts.next()
    if (first === undefined) throw new TypeError("Even an empty file is one part.")
    if (first.isLast) return await writeInOneRequest(store, writing, first.bytes)
    return await writeInParts(store, writing, startingWith(first, parts))
  } finally {
    ended.end()
    await parts.return()
  }
}

async function* startingWith(first: Part, rest: AsyncIterable<Part>): AsyncGenerator<Part, void> {
  yield first
  yield* rest
}

/** A write in progress. */
interface Writing {
  readonly path: FilePath
  readonly key: string
  readonly target: RemoteTarget
  readonly options: WriteOptions
  /** Aborts pending work. */
  readonly ended: LinkedAbort
  /** Called with every piece in order. */
  readonly count: (piece: Uint8Array) => void
  /**
   * Returns the number of bytes and their SHA-256. Called once, after the last piece.
   * @throws `checksum_mismatch`
   */
  readonly finish: () => { readonly size: number; readonly sha256: string }
}

function startWriting(store: ObjstoreContext, path: FilePath, options: WriteOptions): Writing {
  const hash = createHash("sha256")
  let size = 0
  return {
    path,
    key: store.keyPrefix + path,
    target: objstoreTarget(store, "write", path),
    options,
    ended: linkAbort(options.signal),
    count(piece) {
      hash.update(piece)
      size += piece.byteLength
    },
    finish() {
      const sha256 = hash.digest("hex")
      checkDigest({ storage: "objstore", path, sha256, expected: options.sha256 })
      return { size, sha256 }
    },
  }
}

/** Writes a file in one request. */
async function writeInOneRequest(store: ObjstoreContext, writing: Writing, bytes: Uint8Array): Promise<StoredFile> {
  const { path, options, ended, finish } = writing
  const { size, sha256 } = finish()
  const put = () => putConditionally(store, writing, { bytes, size, sha256 })
  return keepingObject(store, { path, isDeleted: false, sha256, ...options, signal: ended.signal }, put)
}

interface WholeObject {
  readonly bytes: Uint8Array
  readonly size: number
  readonly sha256: string
}

function putConditionally(
  store: ObjstoreContext,
  { path, key, target, options, ended }: Writing,
  { bytes, size, sha256 }: WholeObject,
): Promise<StoredFile> {
  return withConditions(store, { key, kind: "put", options, target }, async (conditions) => {
    // Without a condition, repeating a request whose response was lost has the same result.
    const mark = Object.keys(conditions).length === 0 ? undefined : newMark(store.remote)
    const kept = { [DIGEST_HEADER]: sha256, ...(mark === undefined ? {} : { [MARK_HEADER]: mark }) }
    const written = { key, mark, target, signal: ended.signal }
    try {
      const put = await putObject(
        store,
        key,
        { bytes, sha256 },
        { headers: { ...kept, ...conditions }, target, signal: ended.signal },
      )
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

/** Writes a file as a multipart upload. */
async function writeInParts(store: ObjstoreContext, writing: Writing, parts: AsyncIterable<Part>): Promise<StoredFile> {
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
      const ending = { path, isDeleted: false, sha256, ...options, signal: ended.signal }
      return keepingObject(store, ending, async () => {
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
      })
    },
  })
}
