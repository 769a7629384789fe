import { isMissing, outsideRoot } from "../errors.ts"
import { quickLook } from "./quick-look.ts"

/** Where the system finds `path`, which is relative to `root`. */
export function systemPath(root: string, path: string): string {
  return path === "" ? root : `${root}/${path}`
}

/** `real`, a path without links, relative to the root; undefined where it lies outside. */
export async function pathWithin(root: string, real: string): Promise<string | undefined> {
  // A path without links that begins with the root as it was configured proves that the root has none either.
  return pathBelow(root, real) ?? pathBelow(quickLook.realPath(root), real)
}

function pathBelow(root: string, real: string): string | undefined {
  if (real === root) return ""
  const start = root.endsWith("/") ? root : `${root}/`
  return real.startsWith(start) ? real.slice(start.length) : undefined
}

/**
 * Where the folder at `path` really lies, relative to the root.
 * @throws `bad_path` for what leaves the root, whether or not it is there: nobody learns what lies outside
 */
export async function resolveFolder(root: string, path: string): Promise<string> {
  let real: string
  try {
    real = quickLook.realPath(systemPath(root, path))
  } catch (error) {
    if (path !== "" && isMissing(error)) await resolveFolder(root, folderOf(path))
    throw error
  }
  const within = await pathWithin(root, real)
  if (within === undefined) throw outsideRoot(path)
  return within
}

/** The folder part of a relative path: `a/b` of `a/b/c`, and the empty text for a name alone. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")))
}

/** The last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

/** `name` in `folder`, where the root itself is the empty text. */
export function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`
}
