import { realpath } from "node:fs/promises"
import { resolve } from "node:path"
import { programFiles } from "@assay/evaluation"
import { printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { systemCode } from "@assay/storage"
import { isLocalFolder } from "../labels/label-paths.ts"
import { findLocalDataset, localPath } from "../open-local-dataset.ts"
import type { AllowedFiles, OpenFolders } from "./open-folders.ts"

export interface CheckRowFilesOptions extends Pick<AllowedFiles, "rowsAnywhere"> {
  readonly folders: OpenFolders
  /** The folder that `~` means. */
  readonly home: string
}

/**
 * Checks the files of rows and labels that an evaluation file names. The evaluation file can be that of a stranger, and rows reach models and servers:
 * a hidden file is refused, and so is one outside of the folders unless rows may be anywhere, also by a link in a folder or in what a pattern matches.
 * Missing files are left to the reader of the rows.
 * @param names paths of this machine
 * @throws `bad_document`
 */
export async function checkRowFiles(
  names: Iterable<string>,
  { folders, home, rowsAnywhere = false }: CheckRowFilesOptions,
): Promise<void> {
  const base = { folder: folders[0], home }
  for (const name of new Set(names)) {
    for (const path of await filesOf(name, base)) {
      const why = await programFiles.whyNotBelow(path, folders, rowsAnywhere)
      if (why === undefined) continue
      throw new AssayError("bad_document", `The rows '${printable(name)}': the file '${printable(path)}' ${why}.`)
    }
  }
}

/** Returns the absolute paths, without links, of the files that a path, a folder or a pattern names. */
async function filesOf(
  written: string,
  base: { readonly folder: string; readonly home: string },
): Promise<readonly string[]> {
  try {
    if (!(await isLocalFolder(written, base)) && !/[*?[]/.test(written))
      return [await realpath(localPath(written, base))]
    const { pin } = await findLocalDataset(written, base)
    return await Promise.all(pin.files.map(({ path }) => realpath(resolve(pin.fileset, path))))
  } catch (error) {
    // The reader of the rows says better what is wrong with them.
    if (isAssayError(error) || systemCode(error) !== undefined) return []
    throw error
  }
}
