import { createHash } from "node:crypto"
import type { Exchange } from "./exchange.ts"
import { type HubAnswer, errorAnswer, jsonAnswer } from "./hub-answer.ts"
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
 * Lists a folder (empty for the root), folders before files; with `recursive` each folder is followed by its
 * content. Returns undefined if there is no such folder.
 */
function treeEntries({ files }: Commit, folder: string, recursive: boolean): readonly TreeEntry[] | undefined {
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

/** Returns the entry at one path, or undefined. */
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

/** Returns a page of a folder, with the address of the next page in `Link` (RFC 8288). */
export function listTree({ request, address, commit, settings, url }: Exchange): HubAnswer {
  const { path, query } = address
  const recursive = isTrue(query.get("recursive"))
  const entries = treeEntries(commit, path, recursive)
  if (entries === undefined) {
    const message = `${path} does not exist on "${address.revision}"`
    return errorAnswer(404, message, { code: "EntryNotFound", headers: { "x-repo-commit": commit.sha } })
  }
  const start = Number(Buffer.from(query.get("cursor") ?? "", "base64").toString())
  if (!Number.isInteger(start)) return errorAnswer(400, "Invalid cursor")
  const end = start + Math.min(settings.pageSize, Number(query.get("limit") ?? Infinity))
  const [rawPath = ""] = request.url.split("?")
  const next = new URLSearchParams(query)
  next.set("cursor", Buffer.from(String(end)).toString("base64"))
  const origin = settings.relativeLinks ? "" : new URL(url).origin
  const link = entries.length > end ? { link: `<${origin}${rawPath}?${next.toString()}>; rel="next"` } : {}
  return jsonAnswer(200, entries.slice(start, end), link)
}

/** Returns whether a text is true. Python clients write booleans with a capital letter. */
function isTrue(text: string | null): boolean {
  return text === "true" || text === "True" || text === "1"
}

/** Returns the git id of an object: SHA-1 over its kind, length and bytes. */
export function gitObjectId(kind: "blob" | "tree" | "commit", bytes: Uint8Array | string): string {
  const content = Buffer.from(bytes)
  return createHash("sha1").update(`${kind} ${content.byteLength}\0`).update(content).digest("hex")
}

/** Returns the pointer text that git stores for a file outside git (Git LFS, version 1). */
export function lfsPointer(sha256: string, size: number): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${size}\n`
}
