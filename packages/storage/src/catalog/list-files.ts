import { compareCodePoints } from "../compare-code-points.ts"
import { parseFilePath } from "../file-path.ts"
import type { ListOptions, StoredFile } from "../storage.ts"
import type { CatalogContext } from "./context.ts"
import { storedFile } from "./stored-file.ts"

/** Files are asked for when the listing begins: the catalog pages them in an order of its own. */
export async function* listFiles(
  { client, version, files }: CatalogContext,
  { prefix = "", after = "", signal, onProgress }: ListOptions,
): AsyncGenerator<StoredFile> {
  const folder = prefix === "" ? "" : `${parseFilePath(prefix.replace(/\/$/, ""))}/`
  for (const [path, size] of await files.sizes(signal, onProgress)) {
    signal?.throwIfAborted()
    const isWanted = path.startsWith(folder) || path === prefix
    if (isWanted && compareCodePoints(path, after) > 0) yield storedFile(client.asset, version, path, size)
  }
}
