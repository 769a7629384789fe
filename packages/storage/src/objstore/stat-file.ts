import { remoteError } from "../remote/remote-error.ts"
import type { FilePath } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"
import { headObject } from "./head-object.ts"
import { objstoreTarget, type ObjstoreContext } from "./objstore-context.ts"
import { storedFile } from "./stored-file.ts"

export async function statFile(store: ObjstoreContext, path: FilePath, signal?: AbortSignal): Promise<StoredFile> {
  const target = objstoreTarget(store, "stat", path)
  const head = await headObject(store, store.keyPrefix + path, target, signal)
  if (head === undefined) throw remoteError("not_found", target, "there is no such file; check the path.")
  return storedFile(path, head.size, head.headers)
}
