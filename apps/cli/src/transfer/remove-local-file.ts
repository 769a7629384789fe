import { rmdirSync, unlinkSync } from "node:fs"
import { dirname, sep } from "node:path"
import { systemCode } from "./local-failure.ts"
import { nameOf } from "./split-path.ts"

/** Deletes a file in `folder`, and the folders that this leaves empty, up to `root`. */
export function removeLocalFile(root: string, folder: string, path: string): void {
  unlinkSync(`${folder}${sep}${nameOf(path)}`)
  try {
    for (let empty = folder; empty !== root; empty = dirname(empty)) rmdirSync(empty)
  } catch (error) {
    // A folder that holds something else stays.
    if (systemCode(error) === undefined) throw error
  }
}
