import { queryDatabase, verifies, bytesOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { sql } from "kysely"
import { Client } from "pg"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"
import { openDatabase, type DatabaseOptions } from "@assay/database"

describe("a record that another server has locked", () => {
  let test: TestRegistry
  let options: Extract<DatabaseOptions, { kind: "postgres" }>
  let other: Client
  beforeEach(async () => {
    test = await createTestRegistry("postgres")
    const { database } = test.options
    if (database.kind !== "postgres") throw new Error("This needs PostgreSQL.")
    options = database
    other = new Client({ connectionString: options.url })
    await other.connect()
  })
  afterEach(async () => {
    await other.end()
    await test.remove()
  })

  async function hold(fileset: string): Promise<void> {
    await other.query("begin")
    await other.query("select id from filesets where name = $1 for update", [fileset])
  }
  const openQuick = async () => test.openAnother({ database: { ...options, lockWaitMs: 200 } })
  const busy = { code: "unavailable", context: { retryAfter: 5 }, message: expect.stringContaining("Another server") }

  it("is free after seconds, because an idle transaction is ended", async () => {
    const database = await test.openTables()
    const { rows } = await database.write((queries) => sql`show idle_in_transaction_session_timeout`.execute(queries))
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: "10s" }])
    const locks = await database.write((queries) => sql`show lock_timeout`.execute(queries))
    expect(locks.rows).toEqual([{ lock_timeout: "5s" }])
  })

  it("is waited for a short time, and the error says when to try again", verifies("registry.lock-wait"), async () => {
    await test.registry.filesets.create("default", { name: "held" })
    const registry = await openQuick()
    await hold("held")
    await expect(registry.filesets.update("default", "held", { description: "d" })).rejects.toMatchObject(busy)
    await expect(registry.filesets.remove("default", "held")).rejects.toMatchObject(busy)
    await expect(registry.files.write("default", "held", parseFilePath("a"), bytesOf("x"))).rejects.toMatchObject(busy)
    expect(await registry.filesets.get("default", "held")).toMatchObject({ description: "" })
    await other.query("rollback")
    await registry.files.write("default", "held", parseFilePath("a"), bytesOf("x"))
    expect(await registry.filesets.update("default", "held", { description: "d" })).toMatchObject({
      description: "d",
    })
  })

  it("does not delay writes to other filesets", verifies("registry.lock-wait"), async () => {
    for (const name of ["held", "free"]) await test.registry.filesets.create("default", { name })
    await hold("held")
    const { files } = await test.openAnother()
    const waiting = ["a", "b", "c"].map((path) => files.write("default", "held", parseFilePath(path), bytesOf("x")))
    const ended = Promise.allSettled(waiting).then(() => "ended")
    for (const path of ["a", "b", "c"]) await files.write("default", "free", parseFilePath(path), bytesOf("x"))
    expect(await Promise.race([ended, Promise.resolve("waiting")])).toBe("waiting")
    await other.query("rollback")
    await Promise.all(waiting)
  })

  it("is waited for without a limit by background work", async () => {
    await test.registry.filesets.create("default", { name: "held" })
    const database = await openDatabase({ ...options, lockWaitMs: 50 }, () => {})
    await hold("held")
    const update = (patient: boolean) =>
      database.write((queries) => queries.updateTable("filesets").set({ description: "p" }).execute(), { patient })
    const waiting = update(true)
    for (let attempt = 0; attempt < 3; attempt++) await expect(update(false)).rejects.toMatchObject(busy)
    await other.query("rollback")
    await waiting
    await database.close()
  })

  it("does not fail the start of a server, which waits for the migration of another one", async () => {
    await other.query("begin")
    await other.query("lock table kysely_migration in access exclusive mode")
    let isOpen = false
    const opening = openQuick().then(() => (isOpen = true))
    const waiting =
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query_start < pg_catalog.clock_timestamp() - interval '1 s'"
    await expect.poll(async () => (await queryDatabase(options.url, waiting)).length).toBeGreaterThan(0)
    expect(isOpen).toBe(false)
    await other.query("rollback")
    await opening
  })
})
