import type { BigIntStats } from "node:fs"
import { folderOf, nameOf } from "../../file-path.ts"

/**
 * The files that the last whole listing of a local folder has found. The next one with the same object reads the state of each file again, and looks up
 * only what has changed. One listing at a time uses it.
 */
export interface ListedFiles<File> {
  /** Number of files. */
  readonly size: number
  /** Whether the last listing ended and no link led to a file, so that each file has one path. */
  readonly isPlain: boolean
  /** Returns what was listed in a folder by a name if the file there still has the same state. */
  find(folder: string, name: string, stats: BigIntStats): File | undefined
  /** Begins to collect what a listing finds. */
  begin(): Collecting<File>
}

interface Collecting<File> {
  /** Keeps a file that was not found. */
  add(path: string, stats: BigIntStats, file: File): void
  /** Says that a link leads to a file, which can change while the link does not. */
  addLinked(): void
  /** Forgets what is not there any more. Called when all files are listed. */
  end(): void
}

/** The state of a file. A change of its bytes changes one of these. */
type State = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">

interface KnownFile<File> extends State {
  readonly file: File
  /** The listing that has found it last. */
  listing: number
}

/** @param maxFiles of a folder with more files, nothing is known: about 250 bytes of memory for each */
export function createListedFiles<File>(maxFiles: number): ListedFiles<File> {
  /** By folder and name: a name is found much faster than a path, which would be put together for it. */
  const known = new Map<string, Map<string, KnownFile<File>>>()
  let size = 0
  let listing = 0
  let isPlain = false

  function set(path: string, one: KnownFile<File>): void {
    const folder = folderOf(path)
    const files = known.get(folder) ?? new Map<string, KnownFile<File>>()
    size -= files.size
    files.set(nameOf(path), one)
    size += files.size
    known.set(folder, files)
  }

  function clear(): void {
    known.clear()
    size = 0
  }

  /** Forgets the files that the present listing has not found. */
  function forgetOthers(): void {
    for (const [folder, files] of known) {
      size -= files.size
      for (const [name, one] of files) if (one.listing !== listing) files.delete(name)
      size += files.size
      if (files.size === 0) known.delete(folder)
    }
  }

  return {
    get size() {
      return size
    },
    get isPlain() {
      return isPlain
    },
    find(folder, name, stats) {
      const one = known.get(folder)?.get(name)
      if (one === undefined || !isSameState(one, stats)) return undefined
      one.listing = listing
      return one.file
    },
    begin() {
      listing += 1
      isPlain = false
      let hasLinks = false
      let isFull = false
      return {
        add(path, { dev, ino, size: bytes, mtimeNs, ctimeNs }, file) {
          isFull ||= size === maxFiles
          if (isFull) clear()
          else set(path, { dev, ino, size: bytes, mtimeNs, ctimeNs, file, listing })
        },
        addLinked() {
          hasLinks = true
        },
        end() {
          isPlain = !hasLinks
          forgetOthers()
        },
      }
    },
  }
}

function isSameState(a: State, b: State): boolean {
  return a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev
}
