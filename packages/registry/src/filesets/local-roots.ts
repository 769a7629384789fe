import { realpath } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { AssayError, type LocalStorageConfiguration } from "@assay/schemas"

export interface LocalRoots {
  /** Folders below which users may name their own. */
  readonly allowed: readonly string[]
  /** The folder of the server's default storage, which nobody may reach by another way. */
  readonly reserved: string | undefined
}

/**
 * A configuration as it may be kept: with the path that its folder really has, so that a link which is changed later
 * leads nowhere else.
 * @throws `storage_not_allowed`
 */
export async function checkLocalPath(
  storage: LocalStorageConfiguration,
  { allowed, reserved }: LocalRoots,
): Promise<LocalStorageConfiguration> {
  const refuse = (reason: string) =>
    new AssayError("storage_not_allowed", `Local storage at '${storage.path}' is not allowed: ${reason}.`, {
      context: { path: storage.path },
    })
  if (allowed.length === 0) throw refuse("this server lets nobody name local folders; leave `storage` out")
  if (!isAbsolute(storage.path)) throw refuse("the path must be absolute")
  const path = await realPath(storage.path).catch((error: unknown) => {
    throw refuse(`it can't be looked up (${error instanceof Error ? error.message : String(error)})`)
  })
  const roots = await Promise.all(allowed.map(realPath))
  if (!roots.some((root) => isWithin(root, path))) throw refuse(`it must be below one of ${allowed.join(", ")}`)
  const own = reserved === undefined ? undefined : await realPath(reserved)
  if (own !== undefined && (isWithin(own, path) || isWithin(path, own))) {
    throw refuse("the filesets of the default storage are there")
  }
  return { ...storage, path }
}

/** Where a path leads. Of one that is not there yet, its nearest folder that is. */
async function realPath(path: string): Promise<string> {
  const whole = resolve(path)
  try {
    return await realpath(whole)
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT"
    if (!isMissing || dirname(whole) === whole) throw error
    return join(await realPath(dirname(whole)), basename(whole))
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
