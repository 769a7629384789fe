import { DatabaseSync } from "node:sqlite"
import { sql } from "kysely"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Queries } from "../database.ts"
import { sqliteConnection, type SqliteConnection } from "./connection.ts"
import { groupWriter } from "./group-writer.ts"

describe("the writer of SQLite", () => {
  let connection: SqliteConnection
  beforeEach(() => {
    connection = sqliteConnection(new DatabaseSync(":memory:"))
    connection.run("create table notes (text)")
  })
  afterEach(() => connection.close())

  const insert = (queries: Queries) => sql`insert into notes values ('x')`.execute(queries)

  it("returns from a write when the disk has the commit", async () => {
    const synced = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<number>()
    const write = groupWriter(connection, () => {
      asked.resolve(connection.run("select * from notes").rows.length)
      return synced.promise
    })
    let hasReturned = false
    const writing = write(insert).then(() => (hasReturned = true))
    expect(await asked.promise).toBe(1)
    await new Promise(setImmediate)
    expect(hasReturned).toBe(false)
    synced.resolve()
    await writing
    expect(hasReturned).toBe(true)
  })

  it("waits for the disk once for all writes of a turn, and not for writes that need not be durable", async () => {
    let syncs = 0
    const write = groupWriter(connection, async () => void syncs++)
    await Promise.all([write(insert), write(insert), write(insert)])
    expect(syncs).toBe(1)
    await write(insert, { durable: false })
    expect(syncs).toBe(1)
  })

  it("sets savepoints only if one of the writes of a turn fails, and then keeps all others", async () => {
    const statements: string[] = []
    const run: SqliteConnection["run"] = (text, parameters) => {
      statements.push(text)
      return connection.run(text, parameters)
    }
    const write = groupWriter({ ...connection, run }, async () => {})
    await Promise.all([write(insert), write(insert)])
    const insertion = "insert into notes values ('x')"
    expect(statements.splice(0)).toEqual(["begin immediate", insertion, insertion, "commit"])

    const fail = async (queries: Queries) => {
      await insert(queries)
      throw new Error("changed its mind")
    }
    await expect(write(fail)).rejects.toThrow("changed its mind")
    expect(statements.splice(0)).toEqual(["begin immediate", insertion, "rollback"])
    const results = await Promise.allSettled([write(insert), write(fail), write(insert)])
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    expect(statements.filter((text) => text === "savepoint work")).toHaveLength(3)
    expect(connection.run("select * from notes").rows).toHaveLength(4)
  })

  it("keeps what undoes statements in memory only while all writes of a turn are small", async () => {
    const settings: string[] = []
    const configure = (pragma: string) => {
      settings.push(pragma)
      connection.configure(pragma)
    }
    const stores: unknown[] = []
    const write = groupWriter({ ...connection, configure }, async () => {
      stores.push(connection.run("pragma temp_store").rows[0])
    })
    await Promise.all([write(insert, { small: true }), write(insert, { small: true })])
    await write(insert, { small: true })
    expect(settings).toEqual(["pragma temp_store = memory"])
    await Promise.all([write(insert, { small: true }), write(insert)])
    await write(insert)
    expect(settings).toEqual(["pragma temp_store = memory", "pragma temp_store = default"])
    expect(stores).toEqual([2, 2, 0, 0].map((temp_store) => ({ temp_store })))
  })

  it("fails a write if the disk fails", async () => {
    const write = groupWriter(connection, () => Promise.reject(new Error("EIO")))
    await expect(write(insert)).rejects.toThrow("EIO")
  })
})
