import type { CacheEntry, CacheIndex } from "@assay/storage"
import { sql } from "kysely"
import {
  slot,
  type Queries,
  type Database,
  groupTasks,
  type SqlDialect,
  type CacheEntryTable,
  readPages,
} from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"

/** Milliseconds. The use of an entry is recorded at most once in this time. */
const NOTE_MS = 60_000

/** Maximum number of entries whose last use is remembered. */
const MAX_NOTED = 10_000

/** Keys in one statement. */
const GROUP = 1000

/**
 * Keeps the index of the read cache in the database. Servers that share the database share the cache. Writes do not wait
 * for the disk: if a power cut loses an entry, the file is fetched again; if it restores a removed one, the next read finds
 * the file missing.
 */
export function createCacheIndex(context: Pick<FilesetsContext, "database" | "now" | "background">): CacheIndex {
  const { database, now, background } = context
  const noted = new Map<string, number>()
  const entry = database.prepare((queries) =>
    queries.selectFrom("cache_entries").select(ENTRY_COLUMNS).where("key", "=", slot<string>("key")),
  )
  const total = database.prepare((queries) => queries.selectFrom("cache_totals").select("bytes"))

  const note = groupTasks<string>(async (keys) => {
    const used_at = now()
    await database.write(
      (queries) =>
        queries
          .updateTable("cache_entries")
          .set({ used_at })
          .where("key", "in", [...keys])
          .execute(),
      { durable: false },
    )
  })

  return {
    async get(key) {
      const [row] = await entry.run({ key })
      return row && entryOf(row)
    },
    filter: (keys) => knownKeys(database, keys),
    put: (entry) => putEntry(database, entry, now()),
    touch(key) {
      const time = now()
      if (time - (noted.get(key) ?? 0) < NOTE_MS) return
      if (noted.size >= MAX_NOTED) noted.clear()
      noted.set(key, time)
      background.start("record the use of a cached file", () => note(key))
    },
    remove: (keys) => removeEntries(database, keys),
    async evict(bytes) {
      const [row] = await total.run()
      return row === undefined || row.bytes <= bytes ? [] : evictEntries(database, bytes)
    },
    async *list() {
      const pages = readPages<EntryColumns>(
        (last, limit) =>
          database.read((queries) =>
            queries
              .selectFrom("cache_entries")
              .select(ENTRY_COLUMNS)
              .where("key", ">", last?.key ?? "")
              .orderBy("key")
              .limit(limit)
              .execute(),
          ),
        GROUP,
      )
      for await (const rows of pages) yield* rows.map(entryOf)
    },
  }
}

const ENTRY_COLUMNS = ["key", "size", "etag", "sha256", "changed_at", "digest"] as const

type EntryColumns = Pick<CacheEntryTable, (typeof ENTRY_COLUMNS)[number]>

function entryOf(row: EntryColumns): CacheEntry {
  const { key, size, etag, sha256, changed_at: updatedAt, digest } = row
  return { key, facts: { size, etag, sha256, updatedAt }, digest }
}

/**
 * Returns the bytes in the cache and locks them until the transaction ends. Every transaction that adds or removes entries
 * calls this first, so that two of them never wait for each other.
 */
async function lockTotal(queries: Queries, { forUpdate }: SqlDialect): Promise<number> {
  const row = await queries.selectFrom("cache_totals").select("bytes").modifyEnd(forUpdate).executeTakeFirstOrThrow()
  return row.bytes
}

async function addToTotal(queries: Queries, change: number): Promise<void> {
  if (change === 0) return
  await queries
    .updateTable("cache_totals")
    .set({ bytes: sql<number>`bytes + ${change}` })
    .execute()
}

/** Returns the keys that have an entry. */
async function knownKeys(database: Database, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let start = 0; start < keys.length; start += GROUP) {
    const group = keys.slice(start, start + GROUP)
    const rows = await database.read((queries) =>
      queries.selectFrom("cache_entries").select("key").where("key", "in", group).execute(),
    )
    for (const { key } of rows) found.add(key)
  }
  return found
}

async function putEntry(database: Database, { key, facts, digest }: CacheEntry, used_at: number): Promise<void> {
  const { size, etag, sha256, updatedAt: changed_at } = facts
  const columns = { size, etag, sha256, changed_at, digest, used_at }
  await database.write(
    async (queries) => {
      await lockTotal(queries, database.dialect)
      const removed = await queries.deleteFrom("cache_entries").where("key", "=", key).returning("size").execute()
      await queries
        .insertInto("cache_entries")
        .values({ key, ...columns })
        .execute()
      await addToTotal(queries, size - (removed[0]?.size ?? 0))
    },
    { durable: false },
  )
}

async function removeEntries(database: Database, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += GROUP) {
    const group = keys.slice(start, start + GROUP)
    await database.write(
      async (queries) => {
        await lockTotal(queries, database.dialect)
        const rows = await queries.deleteFrom("cache_entries").where("key", "in", group).returning("size").execute()
        await addToTotal(queries, -sizeOf(rows))
      },
      { durable: false },
    )
  }
}

/** Entries that are read in one step. */
const STEP = 500

/** Removes the least recently used entries until the others have at most `max` bytes. Returns the removed keys. */
function evictEntries(database: Database, max: number): Promise<readonly string[]> {
  return database.write(
    async (queries) => {
      const total = await lockTotal(queries, database.dialect)
      const evicted: string[] = []
      let left = total
      while (left > max) {
        const step = await oldestEntries(queries, left - max)
        if (step.length === 0) break
        const keys = step.map(({ key }) => key)
        await queries.deleteFrom("cache_entries").where("key", "in", keys).execute()
        evicted.push(...keys)
        left -= sizeOf(step)
      }
      await addToTotal(queries, left - total)
      return evicted
    },
    { durable: false },
  )
}

interface SizedEntry {
  readonly key: string
  readonly size: number
}

/** Returns the fewest of the least recently used entries that have `bytes` together. */
async function oldestEntries(queries: Queries, bytes: number): Promise<readonly SizedEntry[]> {
  const oldest = await queries
    .selectFrom("cache_entries")
    .select(["key", "size"])
    .orderBy("used_at")
    .orderBy("key")
    .limit(STEP)
    .execute()
  let found = 0
  let count = 0
  while (count < oldest.length && found < bytes) {
    found += oldest[count]?.size ?? 0
    count += 1
  }
  return oldest.slice(0, count)
}

function sizeOf(entries: readonly Pick<SizedEntry, "size">[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0)
}
