import { folderOf } from "../../file-path.ts"
import { isMissing, outsideRoot } from "../errors.ts"
import { metadataCalls } from "./metadata-calls.ts"

/** Returns the system path of `path`, which is relative to `root`. */
export function systemPath(root: string, path: string): string {
  return path === "" ? root : `${root}/${path}`
}

/** Returns the path of `real`, which contains no links, relative to the root, or undefined if it is outside. */
export async function pathWithin(root: string, real: string): Promise<string | undefined> {
  // If the path without links begins with the configured root, the root itself contains no links.
  return pathBelow(root, real) ?? pathBelow(metadataCalls.realPath(root), real)
}

function pathBelow(root: string, real: string): string | undefined {
  if (real === root) return ""
  const start = root.endsWith("/") ? root : `${root}/`
  return real.startsWith(start) ? real.slice(start.length) : undefined
}

/**
 * Resolves the folder at `path` to its path without links, relative to the root.
 * @throws `bad_path` for a path outside the root, whether or not it exists, so that a caller can't find out which files exist outside
 */
export async function resolveFolder(root: string, path: string): Promise<string> {
  let real: string
  try {
    real = metadataCalls.realPath(systemPath(root, path))
  } catch (error) {
    if (path !== "" && isMissing(error)) await resolveFolder(root, folderOf(path))
    throw error
  }
  const within = await pathWithin(root, real)
  if (within === undefined) throw outsideRoot(path)
  return within
}
