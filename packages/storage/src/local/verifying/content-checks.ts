import { hash } from "node:crypto"
import type { BigIntStats } from "node:fs"
import { AssayError } from "@assay/schemas"
import { LRUCache } from "lru-cache"
import { quotePath, type FilePath } from "../../file-path.ts"
import { createHashThread } from "./hash-thread.ts"

/** Maximum size in bytes of a file that is hashed on this thread. Handing it to another thread would take longer. */
const INLINE_BYTES = 65_536

/** Maximum size in bytes of a file that is verified by every complete read. */
const ALWAYS_BYTES = 67_108_864

/** Milliseconds for which a larger file counts as verified, unless its state changes. */
const ONCE_IN_MS = 86_400_000

/** Maximum number of files that are remembered. */
const MAX_FILES = 10_000

/** A file whose bytes differ from those that were written. */
export interface Damage {
  readonly root: string
  readonly path: FilePath
  /** Digest of the written bytes. */
  readonly expected: string
  /** Digest of the current bytes. */
  readonly found: string
}

export interface ContentChecksOptions {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Called each time that a damaged file is read. */
  readonly onDamage: (damage: Damage) => void
}

/** One version of a file with a known digest. */
export interface KnownFile {
  readonly root: string
  readonly path: FilePath
  readonly stats: BigIntStats
  readonly sha256: string
}

/** Compares the bytes of one file with its digest while they are read. */
export interface ContentCheck {
  /** Whether pieces must be in shared memory. */
  readonly isThreaded: boolean
  /** Resolves when the piece is hashed. Its memory must not be reused before. */
  update(piece: Uint8Array): Promise<void>
  /**
   * Compares the digests after the last piece.
   * @throws `content_damaged`
   */
  verify(): Promise<void>
  cancel(): void
}

/**
 * Finds files whose bytes changed on the disk without being written: compares bytes with the digest computed when they
 * were written. Results are remembered for the lifetime of the process.
 */
export interface ContentChecks {
  /** Returns whether the bytes of this version are known to be damaged. */
  isDamaged(stats: BigIntStats): boolean
  /**
   * Starts the check of a complete read. Returns undefined if this version was verified recently.
   * @throws `content_damaged` if it is known to be damaged
   */
  begin(file: KnownFile): ContentCheck | undefined
  /** Records that a file of `size` bytes is correct. `look` returns its version if that must be remembered. */
  note(size: bigint, look: () => BigIntStats): void
  /** Records that a verified file has another version now, although its bytes are the same. */
  carry(from: BigIntStats, to: BigIntStats): void
  close(): Promise<void>
}

export function createContentChecks({ now, onDamage }: ContentChecksOptions): ContentChecks {
  const thread = createHashThread()
  // `max` would reserve memory for all files when the server starts.
  /** Time of the last verification of each large file. */
  const verified = new LRUCache<string, number>({ maxSize: MAX_FILES, sizeCalculation: () => 1 })
  /** Digests of the current bytes of damaged files. */
  const damaged = new LRUCache<string, string>({ maxSize: MAX_FILES, sizeCalculation: () => 1 })

  function note(size: bigint, look: () => BigIntStats): void {
    if (size > ALWAYS_BYTES) verified.set(versionKey(look()), now())
  }

  function compare({ root, path, stats, sha256: expected }: KnownFile, found: string): void {
    if (found === expected) {
      note(stats.size, () => stats)
      return
    }
    damaged.set(versionKey(stats), found)
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
      // Repairing the file changes its version.
      const found = damaged.size === 0 ? undefined : damaged.get(versionKey(file.stats))
      if (found !== undefined) compare(file, found)
      if (size <= INLINE_BYTES) return checkInline(file)
      if (size > ALWAYS_BYTES && now() - (verified.get(versionKey(file.stats)) ?? 0) < ONCE_IN_MS) return undefined
      return checkInThread(file)
    },
    note,
    carry(from, to) {
      const time = verified.get(versionKey(from))
      if (time !== undefined) verified.set(versionKey(to), time)
    },
    close: () => thread.close(),
  }
}

/** Returns a key of the version. Any change of the file sets its change time, which no program can choose. */
function versionKey({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}-${ino}-${size}-${mtimeNs}-${ctimeNs}`
}
