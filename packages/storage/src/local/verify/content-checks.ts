import { hash } from "node:crypto"
import type { BigIntStats } from "node:fs"
import { AssayError } from "@assay/schemas"
import { quotePath, type FilePath } from "../../file-path.ts"
import { createHashThread } from "./hash-thread.ts"

/** Up to this size, in bytes, a file is hashed on this thread: to hand it to another one would take longer. */
const INLINE_BYTES = 65_536

/** Up to this size, in bytes, a file is verified by every read of all of it. */
const ALWAYS_BYTES = 67_108_864

/** Milliseconds in which a larger file is verified once, unless anything about it changes. */
const ONCE_IN_MS = 86_400_000

/** Files that are remembered. */
const MAX_FILES = 10_000

/** A file whose bytes are not those that were written. */
export interface Damage {
  readonly root: string
  readonly path: FilePath
  /** Digest of the bytes that were written. */
  readonly expected: string
  /** Digest of the bytes that are there. */
  readonly found: string
}

export interface ContentChecksOptions {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Told of a damaged file, each time that it is read. */
  readonly onDamage: (damage: Damage) => void
}

/** One version of a file of which the digest is known. */
export interface KnownFile {
  readonly root: string
  readonly path: FilePath
  readonly stats: BigIntStats
  readonly sha256: string
}

/** Compares the bytes of one file with its digest while they are read. */
export interface ContentCheck {
  /** Whether pieces have to lie in shared memory. */
  readonly isThreaded: boolean
  /** Returns when the piece is hashed: its memory must not be filled again before. */
  update(piece: Uint8Array): Promise<void>
  /** Compares, after the last piece. @throws `content_damaged` */
  verify(): Promise<void>
  cancel(): void
}

/**
 * Finds files that have changed on the disk without being written: what a file system returns is compared with the digest
 * that was computed when the file was written. What was found is remembered for as long as the process lives.
 */
export interface ContentChecks {
  /** Whether the bytes of this version were found to be damaged. */
  isDamaged(stats: BigIntStats): boolean
  /**
   * A check of a whole read; undefined if this version was verified lately.
   * @throws `content_damaged` if it is known to be damaged
   */
  begin(file: KnownFile): ContentCheck | undefined
  /** Notes that the bytes of a file of so many bytes are what they should be. `look` tells its version if that is to be remembered. */
  note(size: bigint, look: () => BigIntStats): void
  close(): Promise<void>
}

export function createContentChecks({ now, onDamage }: ContentChecksOptions): ContentChecks {
  const thread = createHashThread()
  /** When a large file was verified last. */
  const verified = new Map<string, number>()
  /** The digests of the bytes that damaged files have. */
  const damaged = new Map<string, string>()

  function note(size: bigint, look: () => BigIntStats): void {
    if (size > ALWAYS_BYTES) keep(verified, versionKey(look()), now())
  }

  function compare({ root, path, stats, sha256: expected }: KnownFile, found: string): void {
    if (found === expected) {
      note(stats.size, () => stats)
      return
    }
    keep(damaged, versionKey(stats), found)
    onDamage({ root, path, expected, found })
    const message = `The bytes of file ${quotePath(path)} are not those that were written: their SHA-256 is ${found} and not ${expected}. Write the file again or restore it from a backup, and check the disk.`
    throw new AssayError("content_damaged", message, { context: { storage: "local", path, sha256: found, expected } })
  }

  function checkInline(file: KnownFile): ContentCheck {
    let found = ""
    return {
      isThreaded: false,
      async update(piece) {
        found = hash("sha256", piece, "hex")
      },
      verify: async () => compare(file, found),
      cancel: () => {},
    }
  }

  function checkInThread(file: KnownFile): ContentCheck {
    const digest = thread.createHash()
    return {
      isThreaded: true,
      update: (piece) => digest.update(piece),
      verify: async () => compare(file, await digest.digest()),
      cancel: () => digest.cancel(),
    }
  }

  return {
    isDamaged: (stats) => damaged.size > 0 && damaged.has(versionKey(stats)),
    begin(file) {
      const { size } = file.stats
      // Whoever sets the file right changes its version.
      const found = damaged.size === 0 ? undefined : damaged.get(versionKey(file.stats))
      if (found !== undefined) compare(file, found)
      if (size <= INLINE_BYTES) return checkInline(file)
      if (size > ALWAYS_BYTES && now() - (verified.get(versionKey(file.stats)) ?? 0) < ONCE_IN_MS) return undefined
      return checkInThread(file)
    },
    note,
    close: () => thread.close(),
  }
}

/** Whatever is written to a file behind the server's back changes the last time, which nobody can set. */
function versionKey({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}-${ino}-${size}-${mtimeNs}-${ctimeNs}`
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= MAX_FILES) break
    map.delete(oldest)
  }
}
