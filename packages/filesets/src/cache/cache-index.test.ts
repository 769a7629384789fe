import type { CacheIndex } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createBackground, type Background, type Database, openDatabase } from "@assay/database"
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "@assay/database/testing"
import { createCacheIndex } from "./cache-index.ts"

const MINUTE = 60_000

describe.each(DATABASE_KINDS)("the index of the read cache, on %s", (kind) => {
  let testDatabase: TestDatabase
  let database: Database
  let background: Background
  let index: CacheIndex
  let time: number
  beforeEach(async () => {
    testDatabase = await createTestDatabase(kind)
    database = await openDatabase(testDatabase.options, () => {})
    background = createBackground({ warn: (_, message) => expect.fail(message) })
    time = Date.UTC(2026, 0)
    index = createCacheIndex({ database, background, now: () => ++time })
  })
  afterEach(async () => {
    await background.end()
    await database.close()
    await testDatabase.remove()
  })

  const put = (key: string, size = 10) =>
    index.put({ key, digest: `digest of ${key}`, facts: { size, etag: `"${key}"`, sha256: null, updatedAt: 5 } })
  /** Puts many entries of one byte concurrently. */
  const insert = async (many: readonly string[]) => {
    const row = { size: 1, digest: "", used_at: 0 }
    await database.write(async (queries) => {
      for (let start = 0; start < many.length; start += 500) {
        const rows = many.slice(start, start + 500).map((key) => ({ key, ...row }))
        await queries.insertInto("cache_entries").values(rows).execute()
      }
      await queries.updateTable("cache_totals").set({ bytes: many.length }).execute()
    })
  }
  const keys = async () => (await Array.fromAsync(index.list())).map(({ key }) => key)
  const total = async () => {
    const rows = await database.read((queries) => queries.selectFrom("cache_totals").select("bytes").execute())
    return rows.map(({ bytes }) => bytes)
  }

  it("returns the entries that were put, and lists them in the order of their keys", async () => {
    await put("b")
    await put("a", 2 ** 50)
    const a = {
      key: "a",
      digest: "digest of a",
      facts: { size: 2 ** 50, etag: '"a"', sha256: null, updatedAt: 5 },
    }
    expect(await index.get("a")).toEqual(a)
    expect(await index.get("c")).toBeUndefined()
    expect(await index.filter(["c", "b", "a"])).toEqual(new Set(["a", "b"]))
    expect((await Array.fromAsync(index.list()))[0]).toEqual(a)
    expect(await keys()).toEqual(["a", "b"])
  })

  it("looks up and lists thousands of keys", async () => {
    const many = Array.from({ length: 2500 }, (_, number) => String(number).padStart(4, "0"))
    await insert(many)
    expect(await keys()).toEqual(many)
    expect((await index.filter([...many, "x"])).size).toBe(2500)
    await index.remove(many.slice(1))
    expect(await keys()).toEqual(["0000"])
  })

  it("keeps the total size correct during concurrent writes", async () => {
    const writers = Array.from({ length: 30 }, async (_, number) => {
      await put(String(number % 10), number)
      if (number % 3 === 0) await index.remove([String(number % 10), "none"])
    })
    await Promise.all(writers)
    const entries = await Array.fromAsync(index.list())
    expect(await total()).toEqual([entries.reduce((sum, { facts }) => sum + facts.size, 0)])
  })

  it("evicts the least recently used entries, and no more than necessary", async () => {
    for (const key of ["a", "b", "c", "d"]) await put(key)
    expect(await index.evict(40)).toEqual([])
    time += MINUTE
    index.touch("a")
    await expect.poll(() => used("a")).toBeGreaterThan(Date.UTC(2026, 0) + MINUTE)
    expect(await index.evict(25)).toEqual(["b", "c"])
    expect(await keys()).toEqual(["a", "d"])
    expect(await total()).toEqual([20])
    expect(await index.evict(0)).toEqual(["d", "a"])
    expect(await total()).toEqual([0])
  })

  it("evicts more entries than one step reads", async () => {
    await insert(Array.from({ length: 1199 }, (_, number) => String(number)))
    await put("the last one", 1)
    expect(await index.evict(100)).toHaveLength(1100)
    expect(await total()).toEqual([100])
    expect(await keys()).toContain("the last one")
  })

  it("records the use of an entry once a minute", async () => {
    await put("a")
    const first = await used("a")
    time += MINUTE
    index.touch("a")
    await expect.poll(() => used("a")).toBeGreaterThan(first)
    const second = await used("a")
    index.touch("a")
    index.touch("a")
    await background.end()
    expect(await used("a")).toBe(second)
  })

  async function used(key: string): Promise<number> {
    const row = await database.read((queries) =>
      queries.selectFrom("cache_entries").select("used_at").where("key", "=", key).executeTakeFirstOrThrow(),
    )
    return row.used_at
  }
})
