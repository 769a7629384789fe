import { compareCodePoints } from "../compare-code-points.ts"
import { parseFilePath } from "../file-path.ts"
import type { ListOptions, StoredFile } from "../storage.ts"
import { findFile } from "./find-file.ts"
import type { HubContext } from "./context.ts"
import { storedFile } from "./hub-file.ts"
import { hubTarget } from "./repository.ts"
import { listTree } from "./list-tree.ts"

/** Where the prefix is no folder, it may be a file: in git a path is never both. */
export async function* listFiles(hub: HubContext, options: ListOptions): AsyncGenerator<StoredFile> {
  const { prefix = "", after = "", signal } = options
  signal?.throwIfAborted()
  const isFolder = prefix === "" || prefix.endsWith("/")
  const folder = prefix.endsWith("/") ? prefix.slice(0, -1) : prefix
  if (prefix !== "") parseFilePath(folder)
  const target = hubTarget(hub.repository, "list", prefix)
  const below = await listTree(hub, folder, target, options)
  const alone = below.length > 0 || isFolder ? undefined : await findFile(hub, folder, target, signal)
  for (const file of alone === undefined ? below : [alone]) {
    if (compareCodePoints(file.path, after) <= 0) continue
    yield storedFile(file)
    signal?.throwIfAborted()
  }
}
