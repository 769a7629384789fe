import { statSync } from "node:fs"
import { AssayError } from "@assay/schemas/errors"
import { localFailure } from "../../transfer/local-failure.ts"

/** @throws `not_found` or `path_conflict` where no folder stands at `root` */
export function checkFolder(root: string): void {
  let isFolder: boolean
  try {
    isFolder = statSync(root).isDirectory()
  } catch (error) {
    throw localFailure(error, "read", root)
  }
  if (!isFolder)
    throw new AssayError("path_conflict", `'${root}' is a file, and a folder is needed: name the folder that it is in.`)
}
