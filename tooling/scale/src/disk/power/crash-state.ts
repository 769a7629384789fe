import { basename, dirname } from "node:path"
import { isSync, type LogEntry } from "./parse-log.ts"

/** The contents of a disk: files and folders by path. */
export interface CrashState {
  readonly folders: readonly string[]
  readonly files: readonly CrashFile[]
}

export interface CrashFile {
  readonly path: string
  readonly bytes: Buffer
  /** Seconds since 1970 with nanoseconds, as text. Empty: unknown. */
  readonly changed: string
}

/** Decides whether something that was not synced is on the disk nevertheless. */
export type Chance = () => boolean

/** A file or folder, whatever its names are. */
interface Node {
  readonly isFolder: boolean
  readonly names: Map<string, Node>
  /** Its first `size` bytes are those of the file. */
  memory: Buffer
  size: number
  changed: string
}

/** A change of names: `from` and `to` are places in folders. */
interface NameChange {
  readonly entry: number
  readonly node: Node
  readonly removes?: readonly [Node, string]
  readonly adds?: readonly [Node, string]
}

interface ContentChange {
  readonly entry: number
  readonly node: Node
  readonly change: LogEntry
}

const PAGE = 4096

/**
 * Computes what a disk can hold after a power failure that happens after the first `count` entries. The model is that of POSIX, which is
 * stricter than ext4 and XFS: a change of a file is kept for sure only after an `fsync` of the file, and a change of names only after an
 * `fsync` of a folder that it changes. A rename is kept whole or not at all. `chance` decides about everything else, for each page of a
 * write on its own.
 * @param base files that were there before the log began, below the root
 */
export function crashState(
  log: readonly LogEntry[],
  { count, root, base, chance }: { count: number; root: string; base: ReadonlyMap<string, Buffer>; chance: Chance },
): CrashState {
  const { names, contents, top, first, syncs } = readChanges(log.slice(0, count), root, base)
  const isKept = (node: readonly (Node | undefined)[], entry: number) =>
    node.some((one) => one !== undefined && (syncs.get(one) ?? 0) > entry)
  for (const { node, change, entry } of contents) {
    applyContent(node, change, change.kind === "write-through" || isKept([node], entry) ? () => true : chance)
  }
  // The result of `readChanges` is the state without a failure. The names begin anew.
  for (const { node } of names) node.names.clear()
  top.names.clear()
  for (const [path, node] of first) top.names.set(path, node)
  for (const { entry, node, removes, adds } of names) {
    if (!isKept([removes?.[0], adds?.[0]], entry) && !chance()) continue
    if (removes !== undefined && removes[0].names.get(removes[1]) === node) removes[0].names.delete(removes[1])
    if (adds !== undefined) adds[0].names.set(adds[1], node)
  }
  return collect(top)
}

function newNode(isFolder: boolean, bytes: Buffer = Buffer.alloc(0)): Node {
  return { isFolder, names: new Map(), memory: bytes, size: bytes.length, changed: "" }
}

interface Changes {
  readonly names: readonly NameChange[]
  readonly contents: readonly ContentChange[]
  readonly top: Node
  /** The files of `base`. */
  readonly first: ReadonlyMap<string, Node>
  /** The number of entries that are on the disk for sure, by file and folder. */
  readonly syncs: ReadonlyMap<Node, number>
}

function readChanges(log: readonly LogEntry[], root: string, base: ReadonlyMap<string, Buffer>): Changes {
  const top = newNode(true)
  const first = new Map(Array.from(base, ([path, bytes]) => [path, newNode(false, bytes)] as const))
  for (const [path, node] of first) top.names.set(path, node)
  const names: NameChange[] = []
  const contents: ContentChange[] = []
  const syncs = new Map<Node, number>()
  /** Open files are known by their inode, also after they have lost their name. */
  const byInode = new Map<string, Node>()
  const find = (path: string): Node | undefined => {
    let node: Node | undefined = top
    for (const name of path.slice(root.length + 1).split("/")) if (name !== "") node = node?.names.get(name)
    return node
  }
  const placeOf = (path: string): readonly [Node, string] | undefined => {
    const folder = find(dirname(path))
    return folder === undefined ? undefined : [folder, basename(path)]
  }
  const rename = (entry: number, node: Node | undefined, from: string | undefined, to: string | undefined) => {
    const [removes, adds] = [from && placeOf(from), to && placeOf(to)]
    if (node === undefined) return
    if (removes) removes[0].names.delete(removes[1])
    if (adds) adds[0].names.set(adds[1], node)
    names.push({ entry, node, ...(removes && { removes }), ...(adds && { adds }) })
  }
  for (const [entry, change] of log.entries()) {
    const { kind, inode, path, other } = change
    if (kind === "create" || kind === "mkdir") {
      const node = newNode(kind === "mkdir")
      byInode.set(inode, node)
      rename(entry, node, undefined, path)
    } else if (kind === "rename") rename(entry, find(path), path, other)
    else if (kind === "link") rename(entry, find(path), undefined, other)
    else if (kind === "unlink" || kind === "rmdir") rename(entry, find(path), path, undefined)
    else {
      const node = kind === "sync-folder" ? find(path) : (byInode.get(inode) ?? find(path))
      if (node === undefined) continue
      if (kind === "sync" || kind === "sync-folder") syncs.set(node, Math.max(syncs.get(node) ?? 0, change.mark))
      if (!isSync(change) || kind === "write-through" || kind === "sync") contents.push({ entry, node, change })
    }
  }
  return { names, contents, top, first, syncs }
}

/** Applies a change of a file. Each page of a write is kept if `isKept` returns true for it. */
function applyContent(node: Node, { kind, offset, bytes, changed }: LogEntry, isKept: Chance): void {
  if (kind === "truncate") {
    if (!isKept()) return
    if (offset < node.size) node.memory.fill(0, offset, node.size)
    resize(node, offset)
  } else if (kind === "write" || kind === "write-through") {
    for (let from = 0; from < bytes.length;) {
      const to = Math.min(bytes.length, from + PAGE - ((offset + from) % PAGE))
      if (isKept()) {
        resize(node, Math.max(node.size, offset + to))
        node.memory.set(bytes.subarray(from, to), offset + from)
        node.changed = changed
      }
      from = to
    }
  } else node.changed = changed
}

function resize(node: Node, size: number): void {
  if (node.memory.length < size) node.memory = Buffer.concat([node.memory], size * 2)
  node.size = size
}

function collect(top: Node): CrashState {
  const folders: string[] = []
  const files: CrashFile[] = []
  const walk = (node: Node, path: string): void => {
    for (const [name, child] of node.names) {
      const place = path === "" ? name : `${path}/${name}`
      if (child.isFolder) folders.push(place)
      else files.push({ path: place, bytes: child.memory.subarray(0, child.size), changed: child.changed })
      if (child.isFolder) walk(child, place)
    }
  }
  walk(top, "")
  return { folders, files }
}
