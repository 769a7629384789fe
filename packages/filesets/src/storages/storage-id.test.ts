import { existsSync } from "node:fs"
import { mkdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies, bytesOf, textOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createBucketRegistry } from "../testing/bucket-registry.ts"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"

const refused = (text: string) => ({ code: "bad_settings", message: expect.stringContaining(text) })

describe.each(DATABASE_KINDS)("the id of a local default storage, with %s", (kind) => {
  let test: TestRegistry
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    await test.registry.filesets.create("default", { name: "set" })
    await test.registry.files.write("default", "set", parseFilePath("a.txt"), bytesOf("kept"))
  })
  afterEach(() => test.remove())

  const storage = (...parts: string[]) => join(test.folder, "storage", ...parts)
  const changeTables = async (work: Parameters<Awaited<ReturnType<TestRegistry["openTables"]>>["write"]>[0]) =>
    (await test.openTables()).write(work)

  it(
    "refuses a storage whose database is another one, and one that is lost",
    verifies("operating.one-id"),
    async () => {
      const other = await createTestRegistry(kind)
      try {
        const swapped = { defaultStorage: other.options.defaultStorage }
        await expect(test.openAnother(swapped)).rejects.toMatchObject(refused("belongs to another database"))
        await test.registry.checkReady()
        await rename(storage(), `${storage()}-unmounted`)
        await mkdir(storage())
        await expect(test.openAnother()).rejects.toMatchObject(refused("has no file 'assay-storage-id'"))
        await expect(test.registry.checkReady()).rejects.toMatchObject(refused("Check that it is mounted"))
      } finally {
        await other.remove()
      }
    },
  )

  it("refuses an empty database beside files, also without an id", verifies("operating.lost-database"), async () => {
    const fresh = await createTestRegistry(kind)
    try {
      const tables = await fresh.openTables()
      await tables.write((queries) => queries.deleteFrom("storage_ids").execute())
      const lost = () => fresh.openAnother({ defaultStorage: test.options.defaultStorage })
      await expect(lost()).rejects.toMatchObject(refused("is lost, or it is another one"))
      await rm(storage("assay-storage-id"))
      await expect(lost()).rejects.toMatchObject(refused("is lost, or it is another one"))
    } finally {
      await fresh.remove()
    }
  })

  it("is given to a pair of an older version, and after a start that was killed", async () => {
    await changeTables((queries) => queries.deleteFrom("storage_ids").execute())
    await rm(storage("assay-storage-id"))
    await test.openAnother()
    const id = await readFile(storage("assay-storage-id"), "utf8")
    expect(id).toMatch(/^storage-\S+\n$/)
    await changeTables((queries) => queries.updateTable("storage_ids").set({ is_marked: 0 }).execute())
    await rm(storage("assay-storage-id"))
    await test.openAnother()
    expect(await readFile(storage("assay-storage-id"), "utf8")).toBe(id)
    // A copy of the database from before the upgrade.
    await changeTables((queries) => queries.deleteFrom("storage_ids").execute())
    const copy = await test.openAnother()
    await copy.checkReady()
    expect(await textOf((await copy.files.read("default", "set", parseFilePath("a.txt"))).bytes)).toBe("kept")
  })
})

describe.each(DATABASE_KINDS)("the id of an object store as default storage, with %s", (kind) => {
  it("keeps a server of another database from being ready", verifies("operating.one-id"), async () => {
    const test = await createBucketRegistry(kind)
    try {
      await test.registry.checkReady()
      test.store.write("base/assay-storage-id", "storage-1\n")
      await expect(test.registry.checkReady()).rejects.toMatchObject(refused("belongs to another database"))
      await expect(test.openAnother()).rejects.toMatchObject(refused("belongs to another database"))
    } finally {
      await test.remove()
    }
  })
})

describe("a database file that is lost", () => {
  let test: TestRegistry
  let file = ""
  beforeEach(async () => {
    test = await createTestRegistry("sqlite")
    if (test.options.database.kind === "sqlite") ({ file } = test.options.database)
    await test.registry.filesets.create("default", { name: "set" })
    await test.registry.files.write("default", "set", parseFilePath("a.txt"), bytesOf("kept"))
  })
  afterEach(() => test.remove())

  it("is refused at the start, and no new one is created", verifies("operating.lost-database"), async () => {
    await rm(file)
    await expect(test.openAnother()).rejects.toMatchObject(refused("its log"))
    await test.registry.close()
    await rm(`${file}-wal`, { force: true })
    await expect(test.openAnother()).rejects.toMatchObject(refused("is lost, or it is another one"))
    expect(existsSync(file)).toBe(false)
    await writeFile(file, "")
    await expect(test.openAnother()).rejects.toMatchObject(refused("is lost, or it is another one"))
  })

  it.each([
    ["deleted", () => rm(file)],
    ["cut from", () => truncate(file, 0)],
    ["cut from", () => truncate(file, 4096)],
    ["replaced", () => rm(file).then(() => writeFile(file, Buffer.alloc(1_000_000)))],
    ["deleted", () => rm(`${file}-wal`)],
  ] as const)(
    "makes a running server not ready, and its new records are refused: %s",
    verifies("operating.lost-database"),
    async (what, lose) => {
      await test.registry.checkReady()
      await lose()
      await expect(test.registry.checkReady()).rejects.toMatchObject({
        code: "local_file_failed",
        message: expect.stringContaining(what),
      })
      // An answer would promise what the next start of the server does not find.
      await expect(test.registry.filesets.create("default", { name: "late" })).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("lost its database"),
      })
    },
  )
})
