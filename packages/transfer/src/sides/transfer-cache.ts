import { type BigIntStats } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { createFolderAtOnce } from "@assay/storage"

/** Remembers digests of local files and unfinished uploads between runs. Losing the cache costs only time. */
export interface TransferCache {
  /** Returns the digest of the file with exactly these stats. */
  digest(stats: BigIntStats): string | undefined
  keepDigest(stats: BigIntStats, sha256: string): void
  /** Returns the id of an unfinished upload. */
  upload(key: string): string | undefined
  keepUpload(key: string, id: string): void
  forgetUpload(key: string): void
  close(): void
}

const MAX_DIGESTS = 1_000_000
const BATCH = 1000

/**
 * The digest of a file that changed less than this ago is not kept: the file could change again within the resolution of its
 * times, which is at worst 2 seconds (FAT).
 */
const SETTLED_NS = 2_000_000_000n

const SCHEMA = `
  pragma journal_mode = wal;
  pragma synchronous = off;
  create table if not exists digests (
    id integer primary key,
    dev integer not null, ino integer not null, size integer not null, mtime integer not null, ctime integer not null,
    sha256 text not null,
    unique (dev, ino)
  );
  create table if not exists uploads (key text primary key, id text not null) without rowid;
`

/** Opens the cache in `folder`. If that fails, returns a cache that keeps nothing. */
export function openTransferCache(folder: string, now: () => number): TransferCache {
  try {
    createFolderAtOnce(folder, { mode: 0o700, durable: false })
    return openDatabase(join(folder, "transfers-1.db"), now)
  } catch {
    return noCache
  }
}

const noCache: TransferCache = {
  digest: () => undefined,
  keepDigest: () => undefined,
  upload: () => undefined,
  keepUpload: () => undefined,
  forgetUpload: () => undefined,
  close: () => undefined,
}

type DigestRow = readonly [dev: bigint, ino: bigint, size: bigint, mtime: bigint, ctime: bigint, sha256: string]

function openDatabase(file: string, now: () => number): TransferCache {
  const database = new DatabaseSync(file, { timeout: 2000 })
  database.exec(SCHEMA)
  const find = database.prepare(
    "select sha256 from digests where dev = ? and ino = ? and size = ? and mtime = ? and ctime = ?",
  )
  const insert = database.prepare(
    "insert or replace into digests (dev, ino, size, mtime, ctime, sha256) values (?, ?, ?, ?, ?, ?)",
  )
  const findUpload = database.prepare("select id from uploads where key = ?")
  const insertUpload = database.prepare("insert or replace into uploads (key, id) values (?, ?)")
  const deleteUpload = database.prepare("delete from uploads where key = ?")
  let waiting: DigestRow[] = []

  function flush(): void {
    const rows = waiting
    waiting = []
    if (rows.length === 0) return
    ignoringFailures(() => {
      database.exec("begin immediate")
      for (const row of rows) insert.run(...row)
      database.exec("commit")
    })
  }

  return {
    digest: ({ dev, ino, size, mtimeNs, ctimeNs }) =>
      ignoringFailures(() => textOrUndefined(find.get(dev, ino, size, mtimeNs, ctimeNs)?.["sha256"])),
    keepDigest: ({ dev, ino, size, mtimeNs, ctimeNs }, sha256) => {
      const settledBefore = BigInt(Math.floor(now())) * 1_000_000n - SETTLED_NS
      if (mtimeNs > settledBefore || ctimeNs > settledBefore) return
      waiting.push([dev, ino, size, mtimeNs, ctimeNs, sha256])
      if (waiting.length >= BATCH) flush()
    },
    upload: (key) => ignoringFailures(() => textOrUndefined(findUpload.get(key)?.["id"])),
    keepUpload: (key, id) => ignoringFailures(() => void insertUpload.run(key, id)),
    forgetUpload: (key) => ignoringFailures(() => void deleteUpload.run(key)),
    close: () => {
      flush()
      ignoringFailures(() => {
        // Ids grow, so the oldest digests are deleted first.
        database.exec(`delete from digests where id <= (select max(id) from digests) - ${MAX_DIGESTS}`)
        database.close()
      })
    },
  }
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}

/** Ignores failures: a cache that is locked, full or broken behaves like an empty one. */
function ignoringFailures<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
