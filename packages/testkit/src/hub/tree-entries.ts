import { gitObjectId } from "./git-object.ts"
import type { Commit, StoredFile } from "./stored-repository.ts"

/** An entry of a listing, as the hub writes it. */
export interface TreeEntry {
  readonly type: "file" | "directory"
  readonly oid: string
  readonly size: number
  readonly path: string
  readonly lfs?: { readonly oid: string; readonly size: number; readonly pointerSize: number }
  readonly xetHash?: string
}

/**
 * What is in a folder (empty for the root), folders before files; with `recursive` each folder is followed by what is in
 * it. Undefined where no folder is.
 */
export function treeEntries({ files }: Commit, folder: string, recursive: boolean): readonly TreeEntry[] | undefined {
  const start = folder === "" ? "" : `${folder}/`
  const inside = [...files].filter(([path]) => path.startsWith(start))
  if (inside.length === 0 && folder !== "") return undefined
  return entriesBelow(start, inside, recursive)
}

type Listed = readonly [path: string, file: StoredFile]

function entriesBelow(start: string, inside: readonly Listed[], recursive: boolean): readonly TreeEntry[] {
  const folders = new Map<string, Listed[]>()
  const own: Listed[] = []
  for (const listed of inside) {
    const slash = listed[0].indexOf("/", start.length)
    if (slash < 0) {
      own.push(listed)
      continue
    }
    const name = listed[0].slice(0, slash)
    const members = folders.get(name)
    if (members === undefined) folders.set(name, [listed])
    else members.push(listed)
  }
  return [
    ...[...folders]
      .toSorted(byPath)
      .flatMap(([path, members]) => [
        folderEntry(path, members),
        ...(recursive ? entriesBelow(`${path}/`, members, recursive) : []),
      ]),
    ...own.toSorted(byPath).map(([path, file]) => fileEntry(path, file)),
  ]
}

/** What is at one path; undefined where nothing is. */
export function entryAt({ files }: Commit, path: string): TreeEntry | undefined {
  const file = files.get(path)
  if (file !== undefined) return fileEntry(path, file)
  const members = [...files].filter(([other]) => other.startsWith(`${path}/`))
  return members.length === 0 ? undefined : folderEntry(path, members)
}

function fileEntry(path: string, { oid, bytes, lfs }: StoredFile): TreeEntry {
  const size = bytes.byteLength
  if (lfs === undefined) return { type: "file", oid, size, path }
  return { type: "file", oid, size, path, lfs, xetHash: lfs.oid.split("").toReversed().join("") }
}

function folderEntry(path: string, members: readonly Listed[]): TreeEntry {
  const text = members.map(([name, { oid }]) => `${oid} ${name}`).join("\n")
  return { type: "directory", oid: gitObjectId("tree", text), size: 0, path }
}

function byPath(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1
}
