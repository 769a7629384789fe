import type { BigIntStats } from "node:fs"

/**
 * The files that the last whole listing of a local folder has found. The next one with the same object reads the state of each file again, and looks up
 * only what has changed. One listing at a time uses it.
 */
export interface ListedFiles<File> {
  /** Number of files. */
  readonly size: number
  /** Whether the last listing ended and no link led to a file, so that each file has one path. */
  readonly isPlain: boolean
  /** Returns what was listed at a path if the file there still has the same state. */
  find(path: string, stats: BigIntStats): File | undefined
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
  const known = new Map<string, KnownFile<File>>()
  let listing = 0
  let isPlain = false
  return {
    get size() {
      return known.size
    },
    get isPlain() {
      return isPlain
    },
    find(path, stats) {
      const one = known.get(path)
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
        add(path, { dev, ino, size, mtimeNs, ctimeNs }, file) {
          isFull ||= known.size === maxFiles
          if (isFull) known.clear()
          else known.set(path, { dev, ino, size, mtimeNs, ctimeNs, file, listing })
        },
        addLinked() {
          hasLinks = true
        },
        end() {
          isPlain = !hasLinks
          for (const [path, one] of known) if (one.listing !== listing) known.delete(path)
        },
      }
    },
  }
}

function isSameState(a: State, b: State): boolean {
  return a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev
}
