import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createBackground, type Database } from "@assay/database"
import type { Registry } from "../../testing/test-registry.ts"
import { checkDefaultStorage } from "../../storages/storage-configuration.ts"
import { createBucketRegistry, type BucketRegistry } from "../../testing/bucket-registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { bytesOf } from "@assay/testkit"
import { createRemovals } from "./removals.ts"

/** Returns the keys of a bucket without that of its id. */
const filesOf = (store: BucketRegistry["store"]) => store.objects().filter((key) => key !== "base/assay-storage-id")

describe.each(DATABASE_KINDS)("filesets removed from an object store, on %s", (kind) => {
  let test: BucketRegistry
  let registry: Registry
  beforeEach(async () => {
    test = await createBucketRegistry(kind)
    registry = test.registry
  })
  afterEach(() => test.remove())

  async function make(name: string, files: number): Promise<void> {
    await registry.filesets.create("default", { name })
    for (let n = 0; n < files; n++) test.store.write(`base/filesets/default/${name}/f${n}`, "content")
  }
  const isDelete = ({ method }: { readonly method: string }) => method === "DELETE"
  const rows = (tables: Database) =>
    tables.read((queries) => queries.selectFrom("removed_filesets").selectAll().execute())

  const leftRow = (id: string, name: string, leased_until: number) => ({
    id,
    workspace: "default",
    name,
    storage_type: "objstore" as const,
    storage: JSON.stringify({ ...test.defaultStorage, prefix: `base/filesets/default/${name}` }),
    leased_until,
  })

  it("are removed with all their files, and with no file of others", async () => {
    await make("set", 600)
    await make("set2", 1)
    await registry.filesets.remove("default", "set")
    await expect.poll(() => filesOf(test.store), { timeout: 25_000 }).toEqual(["base/filesets/default/set2/f0"])
    const tables = await test.openTables()
    await expect.poll(() => rows(tables)).toEqual([])
  })

  it("leave no files to a new fileset that gets the name at once", async () => {
    await make("set", 40)
    test.store.faults.add({ when: isDelete, fault: { kind: "latency", ms: 20 } })
    await registry.filesets.remove("default", "set")
    await registry.filesets.create("default", { name: "set" })
    expect(await registry.files.list("default", "set", {})).toEqual({ data: [] })
    await registry.files.write("default", "set", parseFilePath("f0"), bytesOf("new"))
    const tables = await test.openTables()
    await expect.poll(() => rows(tables)).toEqual([])
    await expect.poll(() => test.store.inFlight()).toBe(0)
    expect(filesOf(test.store)).toEqual(["base/filesets/default/set/f0"])
  })

  it("keep their name until the store has deleted their files", async () => {
    await make("set", 3)
    test.store.faults.add({ when: isDelete, fault: { kind: "refuse", status: 403, code: "AccessDenied" } })
    await registry.filesets.remove("default", "set")
    const again = () => registry.filesets.create("default", { name: "set" })
    await expect.poll(() => test.warnings).toContain("Could not delete the files of removed filesets")
    await test.pass(61_000)
    await expect(again()).rejects.toMatchObject({ name: "AssayError" })
    await expect(registry.filesets.get("default", "set")).rejects.toMatchObject({ code: "not_found" })
    test.store.faults.clear()
    await test.pass(61_000)
    await again()
    expect(await registry.files.list("default", "set", {})).toEqual({ data: [] })
  })

  it("are remembered after a crash, by any server", async () => {
    await make("set", 3)
    test.store.faults.add({ when: isDelete, fault: { kind: "stall" } })
    await registry.filesets.remove("default", "set")
    await expect.poll(() => test.store.inFlight()).toBeGreaterThan(0)
    const early = await test.openAnother()
    await early.close()
    expect(filesOf(test.store)).toHaveLength(3)
    // Not earlier: the first registry would continue with the other files.
    test.store.faults.clear()
    await test.pass(61_000)
    await test.openAnother()
    await expect.poll(() => filesOf(test.store)).toEqual([])
  })

  it("are released by a server that stops, and continued at once by another", async () => {
    await make("set", 3)
    test.store.faults.add({ when: isDelete, fault: { kind: "stall" } })
    await registry.filesets.remove("default", "set")
    await expect.poll(() => test.store.inFlight()).toBeGreaterThan(0)
    await registry.close()
    expect(filesOf(test.store)).toHaveLength(3)
    expect(test.warnings).toEqual([])
    test.store.faults.clear()
    await test.openAnother()
    await expect.poll(() => filesOf(test.store)).toEqual([])
  })

  it("leave no files to a fileset that is made during the removal", async () => {
    await make("set", 1)
    const tables = await test.openTables()
    const { id } = await registry.filesets.get("default", "set")
    let making: Promise<unknown> = Promise.resolve()
    await tables.write(async (queries) => {
      await queries
        .insertInto("removed_filesets")
        .values(leftRow(id, "set", 0))
        .execute()
      await queries.deleteFrom("filesets").where("id", "=", id).execute()
      making = registry.filesets.create("default", { name: "set" })
      making.catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 100))
    })
    await making
    expect(await registry.files.list("default", "set", {})).toEqual({ data: [] })
  })

  it("are deleted by one server at a time, and by another one after its lease", async () => {
    await make("set", 3)
    const tables = await test.openTables()
    const leased_until = test.clock.time + 30_000
    const left = leftRow("fileset-left", "left", leased_until)
    test.store.write("base/filesets/default/left/a", "old")
    await tables.write((queries) => queries.insertInto("removed_filesets").values(left).execute())
    const background = createBackground({ warn: () => {} })
    const { now, transport, random, sleep } = test.options
    const resolveSecret = ({ workspace, name }: { workspace: string; name: string }) =>
      registry.secrets.resolve(workspace, name)
    const remote = { now, transport, random, sleep, resolveSecret }
    const defaultStorage = checkDefaultStorage(test.defaultStorage)
    const checkEndpoint = () => {}
    const context = { database: tables, now, steadyNow: now, background, remote, defaultStorage, checkEndpoint }
    await expect(createRemovals(context, 250).settle("default", "left")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/^The files of the removed fileset 'default\/left' are still being deleted/),
      context: { retryAfter: 10 },
    })
    expect(filesOf(test.store)).toContain("base/filesets/default/left/a")
    await test.pass(31_000)
    await createRemovals(context).settle("default", "left")
    expect(filesOf(test.store)).not.toContain("base/filesets/default/left/a")
    await background.end()
  })

  it("delete files that were written during the removal", async () => {
    await make("set", 0)
    async function* removing(): AsyncIterable<Uint8Array> {
      yield Buffer.from("half ")
      await registry.filesets.remove("default", "set")
      await registry.filesets.create("default", { name: "set" })
      yield Buffer.from("done")
    }
    await expect(registry.files.write("default", "set", parseFilePath("late"), removing())).rejects.toMatchObject({
      code: "not_found",
      message: "Fileset 'set' not found in workspace 'default'",
    })
    expect(await registry.files.list("default", "set", {})).toEqual({ data: [] })
    expect(filesOf(test.store)).toEqual([])
  })

  it("are removed with their workspace", async () => {
    await registry.workspaces.create({ name: "short-lived" })
    for (const name of ["a", "b", "c"]) {
      await registry.filesets.create("short-lived", { name })
      await registry.files.write("short-lived", name, parseFilePath("f"), bytesOf("x"))
    }
    await registry.workspaces.remove("short-lived", { cascade: true })
    await expect.poll(() => filesOf(test.store)).toEqual([])
  })

  it("do not change users' own buckets", async () => {
    test.store.write("mine/a", "kept")
    const storage = { ...test.defaultStorage, prefix: "mine" }
    await registry.secrets.create("default", { name: "id", value: test.store.accessKeyId })
    await registry.secrets.create("default", { name: "key", value: test.store.secretAccessKey })
    await registry.filesets.create("default", { name: "mine", storage })
    await registry.filesets.remove("default", "mine")
    await registry.close()
    expect(filesOf(test.store)).toEqual(["mine/a"])
  })
})
