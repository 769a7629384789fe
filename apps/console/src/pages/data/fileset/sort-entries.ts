import type { FileEntry } from "./use-file-entries.ts"

/** Sorts entries by `name`, `size` or `updated`, with `-` for descending. Undefined keeps their order. Folders are before files. */
export function sortEntries(entries: readonly FileEntry[], sort: string | undefined): readonly FileEntry[] {
  const sign = sort?.startsWith("-") === true ? -1 : 1
  const by = sort?.replace(/^-/u, "")
  const isFolder = ({ kind }: FileEntry) => (kind === "folder" ? 0 : 1)
  return entries.toSorted((a, b) => {
    if (a.kind !== b.kind) return isFolder(a) - isFolder(b)
    if (by === undefined) return 0
    const left = valueOf(a, by)
    const right = valueOf(b, by)
    return left < right ? -sign : left > right ? sign : 0
  })
}

function valueOf(entry: FileEntry, by: string): string | number {
  if (by === "size") return entry.kind === "file" ? entry.file.size : (entry.size ?? Infinity)
  if (by === "updated") return entry.kind === "file" ? (entry.file.updated_at ?? "") : ""
  return entry.name
}
