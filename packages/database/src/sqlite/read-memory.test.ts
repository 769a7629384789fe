import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { CompiledQuery } from "kysely"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { sqliteConnection, type SqliteConnection } from "./connection.ts"
import { createReadMemory } from "./read-memory.ts"

const SIZE = CompiledQuery.raw("select size from things where name = ?", [{ slot: "name" }])

describe("createReadMemory", () => {
  let folder: string
  let writing: SqliteConnection
  let reading: SqliteConnection
  let ran: string[]

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-memory-"))
    const connect = () => sqliteConnection(new DatabaseSync(join(folder, "things.db")))
    writing = connect()
    writing.run("pragma journal_mode = wal")
    writing.run("create table things (name text primary key, size integer)")
    writing.run("insert into things values ('a', 1), ('b', 2)")
    const raw = connect()
    ran = []
    reading = {
      ...raw,
      run(text, parameters) {
        ran.push(text)
        return raw.run(text, parameters)
      },
    }
  })
  afterEach(async () => {
    writing.close()
    reading.close()
    await rm(folder, { recursive: true })
  })

  const runs = () => ran.filter((text) => text.startsWith("select")).length

  it("runs a query once until a commit, and separately for each set of values", () => {
    const memory = createReadMemory(reading)
    const sizeOf = memory.query(SIZE)
    for (let turn = 0; turn < 3; turn += 1) {
      memory.begin()
      expect(sizeOf({ name: "a" })).toEqual([{ size: 1 }])
      expect(sizeOf({ name: "b" })).toEqual([{ size: 2 }])
      expect(sizeOf({ name: "c" })).toEqual([])
      reading.run("commit")
    }
    expect(runs()).toBe(3)
  })

  it("sees a commit of another connection in the next transaction, and not within one", () => {
    const memory = createReadMemory(reading)
    const sizeOf = memory.query(SIZE)
    memory.begin()
    expect(sizeOf({ name: "a" })).toEqual([{ size: 1 }])
    writing.run("update things set size = 5 where name = 'a'")
    writing.run("update things set size = 6 where name = 'b'")
    expect(sizeOf({ name: "b" })).toEqual([{ size: 2 }])
    reading.run("commit")
    memory.begin()
    expect(sizeOf({ name: "a" })).toEqual([{ size: 5 }])
    expect(sizeOf({ name: "b" })).toEqual([{ size: 6 }])
    reading.run("commit")
  })

  it("keeps at most 1000 results", () => {
    const memory = createReadMemory(reading)
    const sizeOf = memory.query(SIZE)
    memory.begin()
    for (let index = 0; index <= 1000; index += 1) sizeOf({ name: `x${index}` })
    sizeOf({ name: "x0" })
    expect(runs()).toBe(1002)
    reading.run("commit")
  })
})
