import type { Storage, StoredFile } from "@assay/storage"
import { parseFilePath } from "@assay/storage/paths"
import { checkRowPath, rowFormatOf } from "../rows/row-format.ts"

/**
 * Lists the files of `storage` that hold rows: the file `path`, those below the folder `path`, or all.
 * @throws `not_found` if nothing is there; `not_a_row_file` if `path` is a file of another kind
 */
export async function listRowFiles(
  storage: Storage,
  path: string | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = []
  let isEmpty = true
  for await (const file of storage.list({ prefix: path, signal })) {
    isEmpty = false
    if (file.path === path) checkRowPath(file.path)
    if (rowFormatOf(file.path) !== undefined) files.push(file)
  }
  if (isEmpty && path !== undefined && path !== "") await storage.stat(parseFilePath(path), { signal })
  return files
}
