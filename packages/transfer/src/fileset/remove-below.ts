import type { Client } from "@assay/client"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { forEachParallel } from "@assay/storage"
import type { FileAddress } from "../file-address.ts"

const PARALLEL = 16

/**
 * Deletes the file with the path and all files below the folder with the path, 16 at a time. Returns the number of deleted files.
 * @throws `not_found` if there is neither
 */
export async function removeBelow(
  { files }: Pick<Client, "files">,
  { workspace, fileset, path }: Required<FileAddress>,
  signal: AbortSignal,
): Promise<number> {
  let count = 0
  await forEachParallel(files.list(workspace, fileset, { path }, { signal }), PARALLEL, async (file) => {
    try {
      await files.remove(workspace, fileset, file.path, { signal })
      count += 1
    } catch (error) {
      // Another process deleted the file in the meantime.
      if (!isAssayError(error, "not_found")) throw error
    }
  })
  if (count > 0 || path === "") return count
  throw new AssayError("not_found", `File '${path}' not found in fileset '${workspace}/${fileset}'.`)
}
