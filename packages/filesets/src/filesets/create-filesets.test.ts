import { mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { StorageConfiguration } from "@assay/schemas"
import { verifies, bytesOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../testing/test-registry.ts"

describe.each(DATABASE_KINDS)("filesets on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
  })
  afterEach(() => test.remove())

  const create = (name: string, storage: StorageConfiguration) =>
    registry.as(() => true).filesets.create("default", { name, storage })

  it(
    "get every field and the default storage if only a name is given",
    verifies(
      "filesets.shape.complete",
      "filesets.create.purpose-default",
      "filesets.create.default-storage",
      "brief.fileset.fields",
      "wire.timestamps",
    ),
    async () => {
      const made = await registry.filesets.create("default", { name: "plain" })
      expect(made).toEqual({
        id: expect.stringMatching(/^fileset-/),
        name: "plain",
        workspace: "default",
        description: "",
        purpose: "generic",
        storage: {
          type: "local",
          path: join(test.folder, "storage/filesets/default/plain"),
          read_chunk_size: 1_048_576,
          write_buffer_size: 16_777_216,
        },
        metadata: {},
        custom_fields: {},
        project: "",
        created_at: made.updated_at,
        updated_at: expect.stringMatching(/^2026-11-20T00:00:00\.\d{3}Z$/),
      })
      expect(await registry.filesets.get("default", "plain")).toEqual(made)
    },
  )

  it(
    "return the values they were made with, in the same order of keys",
    verifies("filesets.create.keeps-what-is-given", "brief.fileset.custom-fields"),
    async () => {
      const body = {
        name: "rich",
        description: "Ärger 😀",
        project: "p",
        purpose: "dataset",
        metadata: { dataset: { schema: { type: "object", properties: { z: {}, a: {} } } } },
        custom_fields: { zeta: 1e21, alpha: { b: [1, "Zwei", null], a: 0.1 }, "a.b": true, "": -1e-7 },
        storage: null,
        cache: true,
      } as const
      await registry.filesets.create("default", structuredClone(body))
      const { metadata, custom_fields, ...fileset } = await registry.filesets.get("default", "rich")
      expect(fileset).toMatchObject({ description: "Ärger 😀", project: "p", purpose: "dataset" })
      expect(JSON.stringify([metadata, custom_fields])).toBe(JSON.stringify([body.metadata, body.custom_fields]))
    },
  )

  it(
    "have unique names in an existing workspace",
    verifies("errors.fileset-exists", "errors.create-in-missing-workspace", "brief.filesets-in-workspaces"),
    async () => {
      await registry.filesets.create("default", { name: "twice" })
      await registry.filesets.create("system", { name: "twice" })
      await expect(registry.filesets.create("default", { name: "twice" })).rejects.toMatchObject({
        code: "already_exists",
        message: "Fileset 'default/twice' already exists",
      })
      await expect(registry.filesets.create("nowhere", { name: "a" })).rejects.toMatchObject({
        code: "invalid_request",
        issues: [{ loc: ["path", "workspace"], msg: expect.stringMatching(/^Workspace 'nowhere' does not exist/) }],
      })
    },
  )

  it(
    "are reported as missing by name, or by workspace if that is missing",
    verifies("errors.fileset-missing", "errors.workspace-missing"),
    async () => {
      const noFileset = { code: "not_found", message: "Fileset 'gone' not found in workspace 'default'" }
      const noWorkspace = { code: "not_found", message: "Workspace 'nowhere' not found" }
      for (const act of [
        (workspace: string) => registry.filesets.get(workspace, "gone"),
        (workspace: string) => registry.filesets.update(workspace, "gone", { description: "a" }),
        (workspace: string) => registry.filesets.update(workspace, "gone", {}),
        (workspace: string) => registry.filesets.remove(workspace, "gone"),
      ]) {
        await expect(act("default")).rejects.toMatchObject(noFileset)
        await expect(act("nowhere")).rejects.toMatchObject(noWorkspace)
      }
    },
  )

  it(
    "change only in the named values, and null empties a value",
    verifies("filesets.update.fields", "filesets.update.replaces-whole", "filesets.update.null-empties"),
    async () => {
      const made = await registry.filesets.create("default", {
        name: "changing",
        description: "a",
        project: "p",
        metadata: { model: {} },
        custom_fields: { a: 1, b: 2 },
      })
      const changed = await registry.filesets.update("default", "changing", {
        custom_fields: { c: 3 },
        description: "b",
        purpose: "model",
      })
      const updated_at = changed.updated_at
      expect(changed).toEqual({ ...made, description: "b", purpose: "model", custom_fields: { c: 3 }, updated_at })
      const emptied = await registry.filesets.update("default", "changing", {
        description: null,
        project: null,
        metadata: null,
        custom_fields: null,
      })
      expect(emptied).toMatchObject({ description: "", project: "", metadata: {}, custom_fields: {}, purpose: "model" })
      expect(await registry.filesets.get("default", "changing")).toEqual(emptied)
    },
  )

  it("get a later `updated_at` with every change, and only then", async () => {
    test.clock.still = true
    const made = await registry.filesets.create("default", { name: "timed" })
    expect(await registry.filesets.update("default", "timed", {})).toEqual(made)
    const times = [made.updated_at]
    for (const description of ["a", "b"]) {
      times.push((await registry.filesets.update("default", "timed", { description })).updated_at)
    }
    test.clock.time += 60_000
    times.push((await registry.filesets.update("default", "timed", { description: "c" })).updated_at)
    expect(times).toEqual([...new Set(times)].toSorted())
    expect(times.at(-1)).toBe(new Date(test.clock.time).toISOString())
  })

  it(
    "are removed with their bytes, and a new one of the name has none of their files",
    verifies("filesets.delete.answers-record"),
    async () => {
      const made = await registry.filesets.create("default", { name: "short" })
      await registry.files.write("default", "short", parseFilePath("a/b.txt"), bytesOf("old"))
      expect(await registry.filesets.remove("default", "short")).toEqual({ ...made, restorable_until: null })
      await registry.filesets.create("default", { name: "short" })
      expect(await registry.files.list("default", "short", {})).toEqual({ data: [] })
      await expect.poll(() => readdir(join(test.folder, "storage/.trash"))).toEqual([])
    },
  )

  it("can't contain text that a database can't store, in any field", async () => {
    const custom_fields = { list: [{ a: "fine" }, { a: "x\0" }] }
    await expect(registry.filesets.create("default", { name: "odd", custom_fields })).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ loc: ["body", "custom_fields", "list", 1, "a"] }],
    })
    await expect(
      registry.filesets.create("default", { name: "odd", custom_fields: { "\ud800": 1 } }),
    ).rejects.toMatchObject({
      issues: [{ loc: ["body", "custom_fields"] }],
    })
  })

  describe("on local storage of the user's own", () => {
    it("keep their bytes when they are removed", async () => {
      const path = join(test.folder, "allowed/mine")
      const made = await create("mine", { type: "local", path, read_chunk_size: 7 })
      expect(made.storage).toEqual({ type: "local", path, read_chunk_size: 7, write_buffer_size: 16_777_216 })
      await registry.files.write("default", "mine", parseFilePath("a.txt"), bytesOf("kept"))
      await registry.filesets.remove("default", "mine")
      expect(await readFile(join(path, "a.txt"), "utf8")).toBe("kept")
    })

    it.each([
      ["outside of the roots", "elsewhere/a"],
      ["beside a root of which it has the beginning", "allowed-not/a"],
      ["that leaves the root", "allowed/../storage/filesets/default/x"],
      ["that leaves the root by a link", "allowed/link/a"],
      ["that is relative", "./allowed/a"],
    ])("can't have a path %s", verifies("storage.local.roots"), async (_, path) => {
      await mkdir(join(test.folder, "allowed"), { recursive: true })
      await symlink(test.folder, join(test.folder, "allowed/link"))
      const given = path.startsWith(".") ? path : `${test.folder}/${path}`
      await expect(create("bad", { type: "local", path: given })).rejects.toMatchObject({ code: "storage_not_allowed" })
    })

    it("keep the path to which a symbolic link leads", async () => {
      await mkdir(join(test.folder, "allowed/target"), { recursive: true })
      await symlink(join(test.folder, "allowed/target"), join(test.folder, "allowed/link"))
      const { storage } = await create("linked", { type: "local", path: join(test.folder, "allowed/link/new") })
      expect(storage).toMatchObject({ path: join(test.folder, "allowed/target/new") })
    })

    it("can't have the folder of the default storage, even if a root contains it", async () => {
      const wide = await test.openAnother({ allowedLocalRoots: [{ path: test.folder }] })
      for (const path of [test.folder, join(test.folder, "storage"), join(test.folder, "storage/filesets/default/x")]) {
        const body = { name: "greedy", storage: { type: "local", path } as const }
        await expect(wide.filesets.create("default", body)).rejects.toMatchObject({
          code: "storage_not_allowed",
          message: expect.stringContaining("default storage"),
        })
      }
    })

    it("are refused if the operator has named no roots", verifies("storage.local.roots"), async () => {
      const closed = await test.openAnother({ allowedLocalRoots: [] })
      const storage = { type: "local", path: join(test.folder, "allowed/a") } as const
      await expect(closed.filesets.create("default", { name: "a", storage })).rejects.toMatchObject({
        code: "storage_not_allowed",
      })
    })
  })

  describe("on other storage", () => {
    it("are refused for correctable errors before a request is sent", verifies("secret-ref.forms"), async () => {
      const bucket = { type: "objstore", bucket: "b" } as const
      await expect(create("s3", { ...bucket, use_sdk_auth: true })).rejects.toMatchObject({
        code: "storage_not_allowed",
      })
      await expect(create("s3", { ...bucket, access_key_id_secret: "id" })).rejects.toMatchObject({
        code: "invalid_request",
        issues: [{ loc: ["body", "storage"], msg: expect.stringContaining("'secret_access_key_secret' is missing") }],
      })
      const keys = { access_key_id_secret: "id", secret_access_key_secret: "system/key" }
      await expect(create("s3", { ...bucket, ...keys })).rejects.toMatchObject({
        code: "secret_not_readable",
        message: expect.stringContaining("'default/id'"),
      })
      await registry.secrets.create("default", { name: "id", value: "a" })
      await expect(create("s3", { ...bucket, ...keys })).rejects.toMatchObject({
        code: "secret_not_readable",
        message: expect.stringContaining("'system/key'"),
      })
    })

    it("need the secret that they name", async () => {
      const catalog = { type: "catalog", org: "o", team: "", target: "t", api_key_secret: "key" } as const
      await expect(create("catalog", catalog)).rejects.toMatchObject({ code: "secret_not_readable" })
    })
  })

  describe("after a crash", () => {
    it("get their bytes back from the trash if their record still exists", async () => {
      const { id } = await registry.filesets.create("default", { name: "saved" })
      await registry.files.write("default", "saved", parseFilePath("a.txt"), bytesOf("kept"))
      await registry.close()
      const storage = join(test.folder, "storage")
      await mkdir(join(storage, ".trash"), { recursive: true })
      await rename(join(storage, "filesets/default/saved"), join(storage, ".trash", id))
      const again = await test.openAnother()
      await expect.poll(async () => (await again.files.list("default", "saved", {})).data.length).toBe(1)
    })

    it("leave nothing in the trash if their record is gone", async () => {
      await registry.close()
      const trash = join(test.folder, "storage/.trash")
      await mkdir(join(trash, "fileset-gone"), { recursive: true })
      await writeFile(join(trash, "fileset-gone/a.txt"), "a")
      await test.openAnother()
      await expect.poll(() => readdir(trash)).toEqual([])
    })

    it(
      "have no partial files, on the default storage and on the user's own",
      verifies("files.upload.temporary-swept"),
      async () => {
        await create("mine", { type: "local", path: join(test.folder, "allowed/mine") })
        await registry.close()
        const folders = [join(test.folder, "storage/filesets/default/a"), join(test.folder, "allowed/mine")]
        for (const folder of folders) {
          await mkdir(folder, { recursive: true })
          await writeFile(join(folder, ".assay-tmp-1"), "half")
          await writeFile(join(folder, "whole"), "whole")
        }
        const hoursLater = Date.now() + 7_200_000
        await test.pass(hoursLater - test.clock.time)
        await test.openAnother()
        for (const folder of folders) await expect.poll(() => readdir(folder)).toEqual(["whole"])
      },
    )
  })

  it("are found by a server whose data folder was moved", async () => {
    await registry.filesets.create("default", { name: "moved" })
    await registry.files.write("default", "moved", parseFilePath("a.txt"), bytesOf("a"))
    await registry.close()
    const path = join(test.folder, "new-place")
    await rename(join(test.folder, "storage"), path)
    const again = await test.openAnother({ defaultStorage: { type: "local", path } })
    expect((await again.filesets.get("default", "moved")).storage).toMatchObject({
      path: `${path}/filesets/default/moved`,
    })
    expect((await again.files.list("default", "moved", {})).data).toHaveLength(1)
  })
})
