import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { platform } from "node:process"
import { parseFilePath } from "@assay/storage"
import { verifies, bytesOf, textOf, sweepCalls } from "@assay/testkit"
import { sql } from "kysely"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createBucketRegistry, type BucketRegistry } from "../../testing/bucket-registry.ts"
import { createTestRegistry, type TestRegistry, type Registry } from "../../testing/test-registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createContext } from "../../create-context.ts"
import { createFilesetTrash } from "./create-trash.ts"

const DAY_MS = 86_400_000
const PATH = parseFilePath("a/b.txt")
const EVERYTHING = { page: 1, page_size: 10 }

const write = (registry: Registry, name: string, text: string) =>
  registry.files.write("default", name, PATH, bytesOf(text))
const read = async (registry: Registry, name: string) =>
  textOf((await registry.files.read("default", name, PATH)).bytes)

describe.each(DATABASE_KINDS)("the trash of filesets on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  const options = { trashMs: DAY_MS, history: { days: 30, maxBytes: 1_000_000 } }
  beforeEach(async () => {
    test = await createTestRegistry(kind, options)
    registry = test.registry
  })
  afterEach(() => test.remove())

  const trashed = async () => (await registry.trash.list("default", EVERYTHING, "all")).data
  const inFolder = () => readdir(join(test.folder, "storage/.trash")).catch(() => [])

  /** Makes a fileset with everything that the trash has to keep, and removes it. */
  async function removeFull(name: string) {
    const custom_fields = { z: 1, a: [true] }
    await registry.filesets.create("default", { name, description: "It is full", custom_fields, purpose: "dataset" })
    await write(registry, name, "old")
    await write(registry, name, "new")
    const { commit } = await registry.revisions.get("default", name)
    const fileset = await registry.filesets.get("default", name)
    return { fileset, commit, removed: await registry.as(() => false, "ada").filesets.remove("default", name) }
  }

  it(
    "restores a fileset with its id, its files, their digests, its history and its commits",
    verifies("trash.restore", "trash.list"),
    async () => {
      const { fileset, commit, removed } = await removeFull("set")
      const { name, id, workspace } = fileset
      const until = Date.parse(removed.restorable_until ?? "")
      expect(removed).toEqual({ ...fileset, restorable_until: expect.any(String) })
      await expect(registry.filesets.get("default", "set")).rejects.toMatchObject({ code: "not_found" })
      expect((await registry.filesets.list("default", { ...EVERYTHING, sort: "name" }, "all")).data).toEqual([])
      expect(await registry.trash.list(undefined, EVERYTHING, ["default"])).toMatchObject({
        data: [
          {
            id,
            kind: "fileset",
            workspace,
            name,
            description: "It is full",
            removedBy: "ada",
            removedAt: until - DAY_MS,
            removedUntil: until,
            bytes: 6,
          },
        ],
        bytes: 6,
      })
      const restored = await registry.trash.restore("default", id)
      expect(restored).toEqual({
        ...fileset,
        storage: { ...fileset.storage, path: join(test.folder, `storage/filesets/default/~${id}`) },
        updated_at: expect.any(String),
      })
      expect(await trashed()).toEqual([])
      expect(await read(registry, "set")).toBe("new")
      expect(await registry.filesets.usage([restored])).toEqual(new Map([[id, { files: 1, bytes: 3, kept_bytes: 3 }]]))
      expect((await registry.revisions.get("default", "set")).commit).toBe(commit)
      expect((await registry.history.list("default", "set", { limit: 9, path: PATH })).versions).toHaveLength(1)
      await write(registry, "set", "newer")
      expect(await read(registry, "set")).toBe("newer")
      expect(await inFolder()).toEqual([])
    },
  )

  it("restores results without what attempts left beside them", verifies("trash.restore"), async () => {
    const { id } = await registry.filesets.create("default", { name: "results", purpose: "generic" })
    const tables = await test.openTables()
    await tables.write((queries) =>
      queries.updateTable("filesets").set({ subfolder: "attempt-2" }).where("id", "=", id).execute(),
    )
    await write(registry, "results", "published")
    const lost = join(test.folder, "storage/filesets/default/results/attempt-1")
    await mkdir(lost, { recursive: true })
    await writeFile(join(lost, "rows.jsonl"), "left")
    await registry.as(() => false, "ada").filesets.remove("default", "results")
    await registry.trash.restore("default", id)
    expect(await read(registry, "results")).toBe("published")
    const home = join(test.folder, `storage/filesets/default/~${id}`)
    await expect.poll(() => readdir(join(home, "attempt-1")).catch(() => [])).toEqual([])
    expect(await read(registry, "results")).toBe("published")
  })

  it(
    "leaves the name to a new fileset, and restores the old one under another name",
    verifies("trash.name-is-free"),
    async () => {
      const { fileset } = await removeFull("set")
      await registry.filesets.create("default", { name: "set" })
      await write(registry, "set", "other")
      await expect(registry.trash.restore("default", fileset.id)).rejects.toMatchObject({ code: "already_exists" })
      expect([await read(registry, "set"), await inFolder()]).toEqual(["other", [fileset.id]])
      expect((await registry.trash.restore("default", fileset.id, "again")).name).toBe("again")
      expect([await read(registry, "again"), await read(registry, "set")]).toEqual(["new", "other"])
    },
  )

  it(
    "restores a fileset once, also if two callers ask at the same time, or if another one deletes it for good",
    verifies("trash.restore"),
    async () => {
      const { fileset } = await removeFull("set")
      const both = await Promise.allSettled([
        registry.trash.restore("default", fileset.id, "one"),
        registry.trash.restore("default", fileset.id, "two"),
      ])
      expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
      const { rows } = { rows: (await registry.filesets.list("default", { ...EVERYTHING, sort: "name" }, "all")).data }
      const [one] = rows
      expect(rows).toHaveLength(1)
      expect(await read(registry, one?.name ?? "")).toBe("new")
      await registry.filesets.remove("default", one?.name ?? "")
      const [restored, deleted] = await Promise.allSettled([
        registry.trash.restore("default", fileset.id),
        registry.trash.remove("default", fileset.id),
      ])
      expect([restored.status, deleted.status].toSorted()).toEqual(["fulfilled", "rejected"])
      if (restored.status === "fulfilled") expect(await read(registry, one?.name ?? "")).toBe("new")
      else await expect.poll(inFolder).toEqual([])
    },
  )

  it(
    "deletes what its time is over, and what is deleted for good",
    verifies("trash.sweep", "trash.remove"),
    async () => {
      const tables = await test.openTables()
      const records = () =>
        tables.read(async (queries) => {
          const found = await queries.selectFrom("file_digests").select("path").execute()
          const notes = await queries.selectFrom("removed_fileset_records").selectAll().execute()
          return found.length + notes.length
        })
      const { fileset } = await removeFull("one")
      await removeFull("two")
      await registry.trash.sweep()
      expect(await records()).toBe(2)
      await expect(registry.trash.remove("other", fileset.id)).rejects.toMatchObject({ code: "not_found" })
      expect(await registry.trash.remove("default", fileset.id)).toMatchObject({ name: "one", bytes: 6 })
      await expect.poll(async () => (await inFolder()).length).toBe(1)
      await test.pass(DAY_MS)
      expect(await trashed()).toEqual([])
      await registry.trash.sweep()
      await expect.poll(inFolder).toEqual([])
      await expect.poll(records).toBe(0)
      await removeFull("three")
      expect(await registry.trash.empty("default")).toEqual({ filesets: 1, jobs: 0, bytes: 6 })
      await expect.poll(inFolder).toEqual([])
    },
  )

  it("keeps nothing that is to be deleted at once", verifies("trash.permanent"), async () => {
    await registry.filesets.create("default", { name: "gone" })
    await write(registry, "gone", "x")
    expect(await registry.filesets.remove("default", "gone", { permanent: true })).toMatchObject({
      restorable_until: null,
    })
    expect(await trashed()).toEqual([])
    await expect.poll(inFolder).toEqual([])
  })

  it("goes with its workspace", verifies("trash.workspace"), async () => {
    await registry.workspaces.create({ name: "team" })
    await registry.filesets.create("team", { name: "set" })
    await registry.files.write("team", "set", PATH, bytesOf("x"))
    await registry.filesets.remove("team", "set")
    await registry.workspaces.remove("team", { cascade: false })
    await expect.poll(inFolder).toEqual([])
    expect((await registry.trash.list(undefined, EVERYTHING, "all")).data).toEqual([])
  })

  it(
    "keeps only the record of files that are not the server's, and refuses a folder that another workspace has taken",
    verifies("trash.others-storage"),
    async () => {
      const path = join(test.folder, "allowed/mine")
      const storage = { type: "local", path } as const
      const { id } = await registry.filesets.create("default", { name: "mine", storage })
      await write(registry, "mine", "kept")
      await registry.filesets.remove("default", "mine")
      expect(await trashed()).toMatchObject([{ id, bytes: 0 }])
      await registry.workspaces.create({ name: "team" })
      await registry.filesets.create("team", { name: "theirs", storage })
      await expect(registry.trash.restore("default", id)).rejects.toMatchObject({ code: "storage_not_allowed" })
      await registry.filesets.remove("team", "theirs", { permanent: true })
      expect((await registry.trash.restore("default", id)).storage).toMatchObject({ path })
      expect(await read(registry, "mine")).toBe("kept")
    },
  )

  it("survives the next start, also after a crash in a restoration", verifies("trash.crash"), async () => {
    const { fileset } = await removeFull("set")
    await registry.close()
    const home = join(test.folder, `storage/filesets/default/~${fileset.id}`)
    await mkdir(join(test.folder, "storage/filesets/default"), { recursive: true })
    await rename(join(test.folder, "storage/.trash", fileset.id), home)
    const again = await test.openAnother()
    await expect.poll(inFolder).toEqual([fileset.id])
    await again.trash.restore("default", fileset.id)
    expect(await read(again, "set")).toBe("new")
    expect(await readFile(join(home, PATH), "utf8")).toBe("new")
  })
})

describe.each(DATABASE_KINDS)("the trash on an object store, on %s", (kind) => {
  let test: BucketRegistry
  beforeEach(async () => {
    test = await createBucketRegistry(kind, { trashMs: DAY_MS })
  })
  afterEach(() => test.remove())

  it(
    "leaves the files where they are, gives a new fileset of the name other files, and deletes the old ones in the end",
    verifies("trash.name-is-free", "trash.sweep"),
    async () => {
      const { registry, store } = test
      const { id } = await registry.filesets.create("default", { name: "set" })
      await write(registry, "set", "old")
      await registry.filesets.remove("default", "set")
      await registry.filesets.create("default", { name: "set" })
      expect(await registry.files.list("default", "set", {})).toEqual({ data: [] })
      await write(registry, "set", "new")
      await registry.trash.restore("default", id, "again")
      expect([await read(registry, "again"), await read(registry, "set")]).toEqual(["old", "new"])
      await registry.filesets.remove("default", "again")
      await test.pass(DAY_MS + 1)
      await expect(registry.trash.restore("default", id)).rejects.toMatchObject({ code: "not_found" })
      await registry.trash.sweep()
      await expect.poll(() => store.objects().filter((key) => key.startsWith("base/filesets/default/set/"))).toEqual([])
      expect(await read(registry, "set")).toBe("new")
    },
  )
})

describe.runIf(platform === "linux")("the trash of a disk that fails", () => {
  let test: TestRegistry
  let made = 0
  beforeEach(async () => {
    test = await createTestRegistry("sqlite", { trashMs: DAY_MS })
  })
  afterEach(() => test.remove())

  const stateOf = async (name: string) => [
    await read(test.registry, name).catch((error: unknown) => String(error)),
    (await test.registry.trash.list("default", { ...EVERYTHING, name }, "all")).data,
  ]

  it.each(["rename", "open", "fsync"] as const)(
    "has no effect if a call of %s fails in a removal or a restoration",
    verifies("trash.crash"),
    async (call) => {
      const check = (error: unknown, before: unknown, after: unknown) => {
        expect(error).toMatchObject({ name: expect.stringMatching(/^(?:AssayError|Error)$/) })
        expect(after).toEqual(before)
      }
      const prepare = async () => {
        const name = `set-${(made += 1)}`
        const { id } = await test.registry.filesets.create("default", { name })
        await write(test.registry, name, "text")
        return { name, id }
      }
      const removals = await sweepCalls({
        call,
        code: "EIO",
        check,
        prepare: async () => {
          const { name } = await prepare()
          return { read: () => stateOf(name), run: () => test.registry.filesets.remove("default", name) }
        },
      })
      const restorations = await sweepCalls({
        call,
        code: "EIO",
        check,
        prepare: async () => {
          const { name, id } = await prepare()
          await test.registry.filesets.remove("default", name)
          return {
            read: async () => {
              const state = await stateOf(name)
              return [...state, await readFile(join(test.folder, "storage/.trash", id, PATH), "utf8")]
            },
            run: () => test.registry.trash.restore("default", id),
          }
        },
      })
      if (call === "rename") expect([removals, restorations]).toEqual([1, 1])
    },
  )

  it("keeps a fileset in the trash if the database can't record its restoration", verifies("trash.crash"), async () => {
    const { id } = await test.registry.filesets.create("default", { name: "held" })
    await write(test.registry, "held", "text")
    await test.registry.filesets.remove("default", "held")
    const tables = await test.openTables()
    const refuse =
      "create trigger refuse before delete on trash_entries begin select raise(abort, 'disk I/O error'); end"
    await tables.write((queries) => sql.raw(refuse).execute(queries))
    await expect(test.registry.trash.restore("default", id)).rejects.toThrow()
    await expect(test.registry.trash.remove("default", id)).rejects.toThrow()
    await tables.write((queries) => sql.raw("drop trigger refuse").execute(queries))
    await test.registry.trash.restore("default", id)
    expect(await read(test.registry, "held")).toBe("text")
  })

  it("is emptied before a write fails because the disk is full", verifies("trash.full-disk"), async () => {
    const { registry, options, folder } = test
    const noSecrets = { resolveSecret: async () => "", secretVersions: async () => "" }
    const ports = { database: await test.openTables(), isShared: false, ...noSecrets }
    const context = createContext({ ...options, trashMs: DAY_MS }, ports)
    const { relieve } = createFilesetTrash(context)
    expect(await relieve()).toBe(false)
    await registry.filesets.create("default", { name: "large" })
    await write(registry, "large", "text")
    await registry.filesets.remove("default", "large")
    expect(await relieve()).toBe(true)
    expect(await readdir(join(folder, "storage/.trash"))).toEqual([])
    expect((await registry.trash.list("default", EVERYTHING, "all")).data).toEqual([])
    expect(await relieve()).toBe(false)
    await context.background.end()
  })

  it("keeps the file of a write that began before the deletion and ends after the restoration", async () => {
    const { registry, folder } = test
    const { id } = await registry.filesets.create("default", { name: "slow" })
    await write(registry, "slow", "text")
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const late = registry.files.write(
      "default",
      "slow",
      parseFilePath("late.txt"),
      (async function* () {
        yield Buffer.from("half")
        begun.resolve()
        await goOn.promise
      })(),
    )
    await begun.promise
    await registry.filesets.remove("default", "slow")
    await registry.trash.restore("default", id)
    await registry.filesets.create("default", { name: "other" })
    goOn.resolve()
    expect((await late).path).toBe("late.txt")
    const { data } = await registry.files.list("default", "slow", {})
    expect(data.map(({ path }) => path)).toEqual([PATH, "late.txt"])
    const old = join(folder, "storage/filesets/default/slow")
    expect(await readdir(old).catch(() => [])).toEqual([])
  })
})
