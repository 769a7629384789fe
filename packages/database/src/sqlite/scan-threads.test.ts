import { sql } from "kysely"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createTestDatabase, type TestDatabase } from "../testing/databases.ts"
import type { Database, Queries } from "../database.ts"
import { openSqlite } from "./open.ts"
import { startScanThread } from "./scan-thread.ts"
import { createScanThreads } from "./scan-threads.ts"

/** Runs for half a second or more. Nothing interrupts a statement, so an endless one would never let its thread go. */
const LONG = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) select count(*) from n"

describe("the scan threads of SQLite", () => {
  let testDatabase: TestDatabase
  let file: string
  let database: Database
  beforeEach(async () => {
    testDatabase = await createTestDatabase("sqlite")
    if (testDatabase.options.kind !== "sqlite") throw new TypeError("not SQLite")
    ;({ file } = testDatabase.options)
    database = await openSqlite(file)
  })
  afterEach(async () => {
    await database.close()
    await testDatabase.remove()
  })

  const scan = async <T>(work: (queries: Queries) => Promise<T>) => database.scan?.(work)
  const names = async (queries: Queries) =>
    (await queries.selectFrom("workspaces").select("name").execute()).map(({ name }) => name)
  const add = (name: string) =>
    database.write((queries) =>
      queries
        .insertInto("workspaces")
        .values({ id: name, name, description: "", created_at: 0, updated_at: 0 })
        .execute(),
    )

  it("shows one moment to all queries of a scan, and every earlier write to the next scan", async () => {
    await add("a")
    const seen = await scan(async (queries) => {
      const before = await names(queries)
      await add("b")
      return [before, await names(queries)]
    })
    expect(seen).toEqual([["a"], ["a"]])
    expect(await scan(names)).toEqual(["a", "b"])
  })

  it("leaves the calling thread free while a query runs", async () => {
    let turns = 0
    const counting = setInterval(() => turns++, 1)
    await scan((queries) => sql.raw(LONG).execute(queries))
    clearInterval(counting)
    expect(turns).toBeGreaterThan(10)
  })

  it("does not write, and reports the error code of SQLite", async () => {
    const failing = scan((queries) => sql`delete from workspaces`.execute(queries))
    await expect(failing).rejects.toMatchObject({ errcode: 8, message: /readonly/ })
    expect(await scan(names)).toEqual([])
  })

  it("refuses a scan if too many are waiting", async () => {
    const threads = createScanThreads(file)
    const asked = await Promise.allSettled(Array.from({ length: 210 }, () => threads.scan(names)))
    const failures = asked.filter(({ status }) => status === "rejected")
    expect(failures.length).toBeGreaterThan(0)
    expect(failures[0]).toMatchObject({ reason: { code: "unavailable", context: { retryAfter: 1 } } })
    await threads.close()
  })

  it("ends a thread whose query takes too long", async () => {
    const thread = startScanThread(file, 1)
    await expect(thread.run(LONG)).rejects.toMatchObject({ code: "unavailable" })
    expect(thread.hasEnded()).toBe(true)
    await expect(thread.run("select 1")).rejects.toThrow(/has ended/)
    await thread.end()
  })

  it("fails the scans that run when it is closed", async () => {
    const threads = createScanThreads(file)
    const { promise: isRunning, resolve } = Promise.withResolvers<void>()
    const running = threads.scan(async (queries) => {
      resolve()
      return sql.raw(LONG).execute(queries)
    })
    await isRunning
    await Promise.all([threads.close(), expect(running).rejects.toThrow(/has ended/)])
  })
})
