import type { DroppedFile } from "../fileset/dropped-files.ts"

/** Returns a name for the fileset of some files: that of their only folder, or of the only file. Empty: they have nothing in common. */
export function proposedName(files: readonly DroppedFile[]): string {
  const [first] = files
  if (first === undefined) return ""
  const top = onlyFolder(files)
  const name = top === undefined ? (files.length === 1 ? first.path.replace(/\.[^.]*$/u, "") : "") : top.slice(0, -1)
  return name
    .replaceAll(/[^A-Za-z0-9_.-]+/gu, "-")
    .replace(/^[^A-Za-z0-9]+/u, "")
    .slice(0, 255)
}

/** Returns the files with paths below their only folder, which becomes the fileset itself. */
export function withoutOnlyFolder(files: readonly DroppedFile[]): readonly DroppedFile[] {
  const top = onlyFolder(files)
  return top === undefined ? files : files.map(({ path, file }) => ({ path: path.slice(top.length), file }))
}

/** Returns the folder that has all files, with a slash at its end. */
function onlyFolder(files: readonly DroppedFile[]): string | undefined {
  const path = files[0]?.path ?? ""
  const top = path.slice(0, path.indexOf("/") + 1)
  return top !== "" && files.every((file) => file.path.startsWith(top)) ? top : undefined
}
