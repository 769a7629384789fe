import type { TreeEntry } from "./use-file-tree.ts"

/** Sorts entries by `name`, `size` or `updated`, with `-` for descending. Folders stay before files. */
export function sortEntries(entries: readonly TreeEntry[], sort: string | undefined): readonly TreeEntry[] {
  if (sort === undefined) return entries
  const sign = sort.startsWith("-") ? -1 : 1
  const by = sort.replace(/^-/u, "")
  const isFolder = ({ kind }: TreeEntry) => (kind === "folder" ? 0 : 1)
  return entries.toSorted((a, b) => {
    if (a.kind !== b.kind) return isFolder(a) - isFolder(b)
    const [left, right] = [valueOf(a, by), valueOf(b, by)]
    return left < right ? -sign : left > right ? sign : 0
  })
}

function valueOf(entry: TreeEntry, by: string): string | number {
  if (by === "size") return entry.kind === "file" ? entry.file.size : entry.size
  if (by === "updated") return entry.kind === "file" ? (entry.file.updated_at ?? "") : ""
  return entry.name
}
