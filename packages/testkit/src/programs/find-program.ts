import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

/** Returns the path of a program in one of the folders of `path`. Undefined if there is none. */
export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => isReadable(file))
}

export function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}
