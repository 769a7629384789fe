import { HISTORY_FOLDER, type FileChange, type KeptBytes, type KeptVersion } from "../file-history.ts"
import { parseFilePath, type FilePath } from "../file-path.ts"
import { encodeKey } from "./client.ts"
import { objstoreTarget, type ObjstoreContext } from "./context.ts"
import type { StoredFile } from "../storage.ts"
import { deleteFile } from "./delete.ts"
import { listFiles } from "./list.ts"
import { readFile } from "./read.ts"
import { requestDocument } from "./responses/request-document.ts"
import { headObject, storedFile } from "./responses/stored-file.ts"

/** Bytes. Larger objects can't be copied in one request. Source: the API reference of S3, CopyObject. */
const MAX_COPY = 5 * 1024 ** 3

const pathOf = (id: string): FilePath => parseFilePath(`${HISTORY_FOLDER}/${id}`)

/** Opens the kept bytes of an object store, which are objects below a prefix that no file has. */
export function openKeptBytes(store: ObjstoreContext): KeptBytes {
  return {
    read: async (id, options = {}) => readFile(store, pathOf(id), options),
    remove: async (id) => deleteFile(store, pathOf(id)),
    async *list() {
      for await (const { path } of listFiles(store, { prefix: `${HISTORY_FOLDER}/` })) {
        yield path.slice(HISTORY_FOLDER.length + 1)
      }
    },
    async size(id) {
      const path = pathOf(id)
      return (await headObject(store, store.keyPrefix + path, objstoreTarget(store, "stat", path)))?.size
    },
    locate: () => undefined,
  }
}

interface EndingObject {
  readonly path: FilePath
  readonly isDeleted: boolean
  /** The digest of the bytes that replace it. */
  readonly sha256?: string | undefined
  /** The condition of the write: there is no file to keep. */
  readonly ifNoneMatch?: "*" | undefined
  readonly change?: FileChange | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs a change of a file, and keeps the object that it replaces or deletes: the store copies it first. Changes of one path in this process
 * wait for each other.
 */
export async function keepingObject<T>(
  store: ObjstoreContext,
  ending: EndingObject,
  work: () => Promise<T>,
): Promise<T> {
  const { history, locks } = store
  if (history === undefined) return work()
  const { path, isDeleted, change } = ending
  return locks.exclusive(store.keyPrefix + path, async () => {
    const found = ending.ifNoneMatch === undefined ? await presentOrUnknown(store, ending) : undefined
    const file = found === "unknown" ? undefined : found
    const isSame = file !== undefined && file.sha256 !== null && file.sha256 === ending.sha256
    const kept = file && !isSame ? await history.keep({ file, isDeleted, change }) : undefined
    const isCopied = kept !== undefined && (await copyObject(store, ending, { kept, size: file?.size ?? 0 }))
    try {
      const result = await work()
      if (isCopied) await history.settle()
      if (found === undefined && !isDeleted) history.noteNew(change)
      return result
    } catch (error) {
      if (isCopied)
        await dropCopy(store, kept, () =>
          present(store, { ...ending, signal: undefined }).then((now) => now?.etag === file?.etag),
        )
      throw error
    }
  })
}

/** Returns the object that is at a path. A store that does not tell, for example because a key may only write, is written without history. */
async function presentOrUnknown(
  store: ObjstoreContext,
  ending: EndingObject,
): Promise<StoredFile | "unknown" | undefined> {
  try {
    return await present(store, ending)
  } catch {
    ending.signal?.throwIfAborted()
    return "unknown"
  }
}

/** Returns the object that is at a path. */
async function present(
  store: ObjstoreContext,
  { path, isDeleted, signal }: EndingObject,
): Promise<StoredFile | undefined> {
  const target = objstoreTarget(store, isDeleted ? "delete" : "write", path)
  const head = await headObject(store, store.keyPrefix + path, target, signal)
  return head && storedFile(path, head.size, head.headers)
}

/** Drops the copy of an object that is unchanged. After an error it is not known whether the store has changed it. */
async function dropCopy(store: ObjstoreContext, kept: KeptVersion, isUnchanged: () => Promise<boolean>): Promise<void> {
  if (!(await isUnchanged().catch(() => false))) return
  await kept.cancel("not changed")
  await deleteFile(store, pathOf(kept.id)).catch(() => {})
}

/** Copies an object to the history. Returns false, and cancels the record, if the store can't. */
async function copyObject(
  store: ObjstoreContext,
  { path, signal }: EndingObject,
  { kept, size }: { readonly kept: KeptVersion; readonly size: number },
): Promise<boolean> {
  const { bucket, keyPrefix } = store
  const target = objstoreTarget(store, "write", path)
  try {
    if (size > MAX_COPY) throw new Error("It is too large for one copy.")
    await requestDocument(
      store,
      {
        method: "PUT",
        key: keyPrefix + pathOf(kept.id),
        headers: { "x-amz-copy-source": `/${encodeKey(`${bucket}/${keyPrefix}${path}`)}` },
      },
      { root: "CopyObjectResult", target, signal },
    )
    return true
  } catch {
    await kept.cancel(signal?.aborted === true ? "not changed" : "not kept")
    signal?.throwIfAborted()
    return false
  }
}
