import type { FilePath } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"
import { fileMissing } from "./errors.ts"
import { findFile } from "./find-file.ts"
import type { HubContext } from "./context.ts"
import { storedFile } from "./hub-file.ts"
import { hubTarget } from "./repository.ts"

export async function statFile(hub: HubContext, path: FilePath, signal?: AbortSignal): Promise<StoredFile> {
  signal?.throwIfAborted()
  const target = hubTarget(hub.repository, "stat", path)
  const file = await findFile(hub, path, target, signal)
  if (file === undefined) throw fileMissing(target)
  return storedFile(file)
}
