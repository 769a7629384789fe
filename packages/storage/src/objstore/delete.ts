import type { FilePath } from "../file-path.ts"
import { send } from "./client.ts"
import { refusalError } from "./errors.ts"
import { objstoreTarget, type ObjstoreContext } from "./context.ts"
import { readRefusal } from "./responses/refusal.ts"

/** Deletes a file. S3 accepts deleting a missing file. Other stores refuse it with `NoSuchKey`. */
export async function deleteFile(store: ObjstoreContext, path: FilePath, signal?: AbortSignal): Promise<void> {
  const target = objstoreTarget(store, "delete", path)
  const response = await send(store, { method: "DELETE", key: store.keyPrefix + path }, target, signal)
  if (response.status === 204 || response.status === 200) {
    response.body.destroy()
    return
  }
  const refusal = await readRefusal(response)
  if (refusal.code !== "NoSuchKey") throw refusalError(store, refusal, target)
}
