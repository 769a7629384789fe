import type { FilePath } from "../file-path.ts"
import { openRemoteRead, type RemoteSource } from "../remote/open-remote-read.ts"
import { remoteError } from "../remote/remote-error.ts"
import { verifyDigest } from "../remote/verify-digest.ts"
import type { ReadOptions, ReadResult, StoredFile } from "../storage.ts"
import { send } from "./client.ts"
import { objstoreTarget, type ObjstoreContext } from "./context.ts"
import { refusalError } from "./errors.ts"
import { readRefusal } from "./responses/refusal.ts"
import { headObject, storedFile, strongEtag } from "./responses/stored-file.ts"

export async function readFile(store: ObjstoreContext, path: FilePath, options: ReadOptions): Promise<ReadResult> {
  const { range, signal, onProgress } = options
  const target = objstoreTarget(store, "read", path)
  const key = store.keyPrefix + path
  const source: RemoteSource = {
    versionOf: (headers) => headers["etag"],
    async ask(bytes, first, asking) {
      const etag = strongEtag(first?.["etag"])
      const headers = {
        ...(bytes === undefined ? {} : { range: bytes }),
        ...(etag === null ? {} : { "if-match": etag }),
      }
      const response = await send(store, { method: "GET", key, headers }, target, asking)
      const { status } = response
      if (status === 200 || status === 206 || status === 416) return { ...response, status }
      const refusal = await readRefusal(response)
      if (first !== undefined && (status === 412 || status === 404)) {
        throw remoteError("storage_changed", target, "the file changed while it was read; read it again.")
      }
      throw refusalError(store, refusal, target)
    },
  }
  const { remote, readChunkSize: chunkSize } = store
  const read = await openRemoteRead({ remote, source, target, chunkSize, range, signal, onProgress })
  const file = storedFile(path, read.size, read.headers)
  const { release } = read
  if (read.range !== undefined) return { file, range: read.range, bytes: read.bytes, release }
  if (file.sha256 === null) return { file, bytes: read.bytes, release }
  const expected = { algorithm: "sha256", hex: file.sha256 } as const
  return { file, bytes: verifyDigest(read.bytes, { size: file.size, expected, target }), release }
}

export async function statFile(store: ObjstoreContext, path: FilePath, signal?: AbortSignal): Promise<StoredFile> {
  const target = objstoreTarget(store, "stat", path)
  const head = await headObject(store, store.keyPrefix + path, target, signal)
  if (head === undefined) throw remoteError("not_found", target, "there is no such file; check the path.")
  return storedFile(path, head.size, head.headers)
}
