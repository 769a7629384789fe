/** How the names of files begin that are still being written. Such names are never listed or served, nor taken from users. */
export const TEMPORARY_PREFIX = ".assay-tmp-"

export function isTemporaryName(name: string): boolean {
  return name.startsWith(TEMPORARY_PREFIX)
}

/** Whether any segment of `path` has such a name. */
export function isTemporaryPath(path: string): boolean {
  return path.includes(TEMPORARY_PREFIX) && path.split("/").some(isTemporaryName)
}
