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
