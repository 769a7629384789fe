import { realpath } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { AssayError, type LocalStorageConfiguration } from "@assay/schemas"

/** A folder below which users may name folders of their own. */
export interface LocalRoot {
  readonly path: string
  /** The workspaces that may use it. Default: all. */
  readonly workspaces?: readonly string[] | undefined
}

export interface LocalRoots {
  readonly allowed: readonly LocalRoot[]
  /** The server's own folders, which nobody may reach by another way. */
  readonly reserved: readonly string[]
}

/**
 * A configuration as it may be kept: with the path that its folder really has, so that a link which is changed later
 * leads nowhere else.
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
    // Why another path can't be looked up would tell what is there.
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

/** The innermost root that holds the path decides; and no root of others may lie in the path. */
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

/** Where a path leads. Of one that is not there yet, its nearest folder that is. */
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

/** Whether two folders are the same, or one lies in the other. Both paths are without links. */
export function isOverlapping(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a)
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
