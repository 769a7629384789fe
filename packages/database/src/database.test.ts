import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "./testing/databases.ts"
import { slot, type Database, type Queries } from "./database.ts"
import { openDatabase } from "./open-database.ts"

describe.each(DATABASE_KINDS)("the database %s", (kind) => {
  let testDatabase: TestDatabase
  let database: Database
  beforeAll(async () => {
    testDatabase = await createTestDatabase(kind)
    database = await openDatabase(testDatabase.options, () => {})
  })
  afterAll(async () => {
    await database.close()
    await testDatabase.remove()
  })

  const workspace = (name: string) => ({ id: name, name, description: "", created_at: 1, updated_at: 1 })
  const insert = (queries: Queries, name: string) => queries.insertInto("workspaces").values(workspace(name)).execute()
  const names = () =>
    database.read(async (queries) => {
      const rows = await queries.selectFrom("workspaces").select("name").orderBy("name").execute()
      return rows.map(({ name }) => name)
    })

  it("is migrated once, even if several processes open it at the same time", async () => {
    const fresh = await createTestDatabase(kind, { isNew: true })
    const program = `import { openDatabase } from ${JSON.stringify(new URL("open-database.ts", import.meta.url))}
      const database = await openDatabase(${JSON.stringify(fresh.options)}, () => {})
      await database.close()`
    const open = () => promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program])
    await Promise.all([open(), open(), open()])
    const opened = await openDatabase(fresh.options, () => {})
    const taken = await opened.read((queries) =>
      sql<{ name: string }>`select name from kysely_migration`.execute(queries),
    )
    const steps = taken.rows.map(({ name }) => name)
    expect(steps).toEqual([...new Set(steps)].toSorted())
    expect(steps).toContain("0001-first-tables")
    await opened.close()
    await fresh.remove()
  })

  it("keeps a transaction completely or not at all", async () => {
    await database.write((queries) => insert(queries, "kept"))
    const failing = database.write(async (queries) => {
      await insert(queries, "undone")
      await insert(queries, "kept")
    })
    await expect(failing).rejects.toSatisfy((error) => database.dialect.failureOf(error) === "taken")
    expect(await names()).toEqual(["kept"])
  })

  it("isolates concurrent transactions, so that the failure of one does not affect the others", async () => {
    const results = await Promise.allSettled([
      database.write((queries) => insert(queries, "one")),
      database.write(async (queries) => {
        await insert(queries, "two")
        throw new Error("changed its mind")
      }),
      database.write((queries) => insert(queries, "kept")),
      database.write(async (queries) => {
        await insert(queries, "three")
        return "three"
      }),
    ])
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"])
    expect(results[3]).toMatchObject({ value: "three" })
    expect(await names()).toEqual(["kept", "one", "three"])
  })

  it("ends a write only when other connections see it", async () => {
    const other = await openDatabase(testDatabase.options, () => {})
    await database.write((queries) => insert(queries, "seen"))
    const found = await other.read((queries) =>
      queries.selectFrom("workspaces").select("name").where("name", "=", "seen").execute(),
    )
    expect(found).toHaveLength(1)
    await other.close()
  })

  it("waits for concurrent writes of others", async () => {
    const others = [
      await openDatabase(testDatabase.options, () => {}),
      await openDatabase(testDatabase.options, () => {}),
    ]
    await database.write((queries) => insert(queries, "counter"))
    const increment = (one: Database) =>
      one.write(async (queries) => {
        const row = await queries
          .selectFrom("workspaces")
          .select("updated_at")
          .where("name", "=", "counter")
          .modifyEnd(one.dialect.forUpdate)
          .executeTakeFirstOrThrow()
        const updated_at = row.updated_at + 1
        await queries.updateTable("workspaces").set({ updated_at }).where("name", "=", "counter").execute()
      })
    await Promise.all(Array.from({ length: 60 }, (_, n) => increment([database, ...others][n % 3] ?? database)))
    const { updated_at } = await database.read((queries) =>
      queries.selectFrom("workspaces").select("updated_at").where("name", "=", "counter").executeTakeFirstOrThrow(),
    )
    expect(updated_at).toBe(61)
    for (const one of others) await one.close()
  })

  it("runs two prepared queries at the same moment, with values in their slots", async () => {
    const both = database.prepareTogether((queries) => [
      queries.selectFrom("workspaces").select("id").where("name", "=", slot<string>("name")),
      queries.selectFrom("workspaces").select(["updated_at", "name"]).where("name", "=", slot<string>("other")),
    ])
    expect(await both.run({ name: "kept", other: "one" })).toEqual([[{ id: "kept" }], [{ updated_at: 1, name: "one" }]])
    expect(await both.run({ name: "one", other: "nothing" })).toEqual([[{ id: "one" }], []])
    await expect(both.run({ name: "one" })).rejects.toThrow("slot 'other' has no value")
  })

  it("returns every number as a number", async () => {
    const { rows } = await database.read((queries) =>
      sql`select count(*) as counted, max(created_at) as latest from workspaces`.execute(queries),
    )
    expect(rows).toEqual([{ counted: expect.any(Number), latest: 1 }])
  })
})

describe("the database sqlite", () => {
  let testDatabase: TestDatabase
  let database: Database
  beforeAll(async () => {
    testDatabase = await createTestDatabase("sqlite")
    database = await openDatabase(testDatabase.options, () => {})
  })
  afterAll(async () => {
    await database.close()
    await testDatabase.remove()
  })

  it.each([
    ["a date", new Date(0)],
    ["an object", { a: 1 }],
    ["undefined", undefined],
  ])("refuses %s as a parameter, because it would shift the others", async (_, value) => {
    const asked = database.read((queries) => sql`select ${value} as a, ${"b"} as b`.execute(queries))
    await expect(asked).rejects.toThrow(/A parameter of a query is/)
  })

  it("does not write on the connection for reads", async () => {
    const writing = database.read((queries) => sql`delete from workspaces`.execute(queries))
    await expect(writing).rejects.toThrow(/readonly/)
  })

  it("is unavailable if another process locks it for too long", async () => {
    const error = Object.assign(new Error("database is locked"), { code: "ERR_SQLITE_ERROR", errcode: 5 })
    expect(database.dialect.failureOf(error)).toBe("unavailable")
    await expect(database.write(() => Promise.reject(error))).rejects.toMatchObject({
      code: "unavailable",
      cause: error,
    })
  })
})

describe("the database postgres", () => {
  it("repeats a transaction that ended in a deadlock", async () => {
    const testDatabase = await createTestDatabase("postgres")
    const database = await openDatabase(testDatabase.options, () => {})
    const names = ["a", "b"]
    const rows = names.map((name) => ({ id: name, name, description: "", created_at: 0, updated_at: 0 }))
    await database.write((queries) => queries.insertInto("workspaces").values(rows).execute())
    let attempts = 0
    let held = 0
    const { promise: bothHoldOne, resolve } = Promise.withResolvers<void>()
    const touch = (queries: Queries, name: string) =>
      queries
        .updateTable("workspaces")
        .set((row) => ({ updated_at: sql`${row.ref("updated_at")} + 1` }))
        .where("name", "=", name)
        .execute()
    const touchBoth = (names: string[]) =>
      database.write(async (queries) => {
        attempts += 1
        await touch(queries, names[0] ?? "")
        held += 1
        if (held === 2) resolve()
        await bothHoldOne
        await touch(queries, names[1] ?? "")
      })
    await Promise.all([touchBoth(["a", "b"]), touchBoth(["b", "a"])])
    // PostgreSQL may end both of them.
    expect(attempts).toBeGreaterThan(2)
    const after = await database.read((queries) => queries.selectFrom("workspaces").select("updated_at").execute())
    expect(after).toEqual([{ updated_at: 2 }, { updated_at: 2 }])
    await database.close()
    await testDatabase.remove()
  })

  it("is unavailable while its server is down, and available afterwards", async () => {
    const testDatabase = await createTestDatabase("postgres")
    const database = await openDatabase(testDatabase.options, () => {})
    const other = await openDatabase(testDatabase.options, () => {})
    const kill = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    const sleeping = database.read((queries) => sql`select pg_sleep(30)`.execute(queries))
    const gone = expect(sleeping).rejects.toMatchObject({ code: "unavailable" })
    await expect
      .poll(async () => {
        const { rows } = await other.read((queries) => kill.execute(queries))
        return rows.length
      })
      .toBeGreaterThan(0)
    await gone
    const read = () => database.read((queries) => queries.selectFrom("workspaces").selectAll().execute())
    await expect.poll(() => read().catch(String)).toEqual([])
    for (const one of [database, other]) await one.close()
    await testDatabase.remove()
  })
})

describe("opening a database", () => {
  it("fails with a message that names the database without its password", async () => {
    const opening = openDatabase({ kind: "postgres", url: "postgres://me:hidden@127.0.0.1:1/assay" }, () => {})
    await expect(opening).rejects.toMatchObject({
      code: "bad_settings",
      message: expect.stringMatching(/^The database postgres:\/\/127\.0\.0\.1:1\/assay can't be opened: /),
    })
    await expect(openDatabase({ kind: "sqlite", file: "/nowhere/registry.db" }, () => {})).rejects.toMatchObject({
      code: "bad_settings",
      message: expect.stringContaining("/nowhere/registry.db"),
    })
  })
})
