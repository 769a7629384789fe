import { realpath } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { AssayError, type LocalStorageConfiguration } from "@assay/schemas"

/** A folder below which users may name local folders. */
export interface LocalRoot {
  readonly path: string
  /** The workspaces that may use it. Default: all. */
  readonly workspaces?: readonly string[] | undefined
}

export interface LocalRoots {
  readonly allowed: readonly LocalRoot[]
  /** The server's own folders. Users may not reach them. */
  readonly reserved: readonly string[]
}

/**
 * Checks that a workspace may use a local folder. Returns the configuration with the real path of the folder, so that a
 * symbolic link that is changed later has no effect.
 * @throws `storage_not_allowed`
 */
export async function checkLocalPath(
  storage: LocalStorageConfiguration,
  workspace: string,
  { allowed, reserved }: LocalRoots,
): Promise<LocalStorageConfiguration> {
  const refuse = (reason: string) => localPathRefused(storage.path, reason)
  const own = allowed.filter((root) => isFor(root, workspace))
  if (own.length === 0) throw refuse("this server lets nobody name local folders here; leave `storage` out")
  if (!isAbsolute(storage.path)) throw refuse("the path must be absolute")
  const outside = () =>
    refuse(`it must be below one of ${own.map((root) => root.path).join(", ")}, and in no root of other workspaces`)
  const path = await realPath(storage.path).catch((error: unknown) => {
    // For a path outside the roots, the reason could reveal which files exist.
    if (!own.some((root) => isWithin(root.path, resolve(storage.path)))) throw outside()
    throw refuse(`it can't be looked up (${error instanceof Error ? error.message : String(error)})`)
  })
  const roots = await Promise.all(allowed.map(async (root) => ({ ...root, path: await realPath(root.path) })))
  if (!isAllowed(roots, path, workspace)) throw outside()
  for (const folder of await Promise.all(reserved.map(realPath))) {
    if (isOverlapping(folder, path))
      throw refuse("the server's own files are there, such as those of the default storage")
  }
  return { ...storage, path }
}

export function localPathRefused(path: string, reason: string): AssayError {
  const message = `Local storage at '${path}' is not allowed: ${reason}.`
  return new AssayError("storage_not_allowed", message, { context: { path } })
}

/** The innermost root that contains the path decides. The path may not contain a root of other workspaces. */
function isAllowed(roots: readonly LocalRoot[], path: string, workspace: string): boolean {
  const around = roots.filter((root) => isWithin(root.path, path))
  const innermost = Math.max(...around.map((root) => root.path.length))
  const deciding = around.filter((root) => root.path.length === innermost)
  const isOfOthers = (root: LocalRoot) =>
    root.path !== path &&
    isWithin(path, root.path) &&
    !roots.some((same) => same.path === root.path && isFor(same, workspace))
  return deciding.some((root) => isFor(root, workspace)) && !roots.some(isOfOthers)
}

function isFor({ workspaces }: LocalRoot, workspace: string): boolean {
  return workspaces === undefined || workspaces.includes(workspace)
}

/** Resolves the symbolic links in a path. If it does not exist, resolves those of its nearest existing parent folder. */
export async function realPath(path: string): Promise<string> {
  const whole = resolve(path)
  try {
    return await realpath(whole)
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT"
    if (!isMissing || dirname(whole) === whole) throw error
    return join(await realPath(dirname(whole)), basename(whole))
  }
}

/** Returns whether two folders are the same or one contains the other. Neither path has symbolic links. */
export function isOverlapping(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a)
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
