import { openLocalRows } from "@assay/contents"
import { AssayError, printable } from "@assay/schemas"
import type { FilePath, Storage } from "@assay/storage"

/**
 * Opens a file of this machine with rows.
 * @param path absolute path
 * @param name the file as the user wrote its path
 * @throws `bad_document` for a folder; `not_found`
 */
export function openRowFile(path: string, name: string): { readonly storage: Storage; readonly path: FilePath } {
  const { storage, path: file } = openLocalRows(path, name)
  if (file === undefined) throw new AssayError("bad_document", `${printable(name)} is a folder; name a file with rows.`)
  return { storage, path: file }
}
