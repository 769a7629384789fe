import { verifies, bytesOf, textOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Registry } from "../testing/test-registry.ts"
import { createBucketRegistry, type BucketRegistry } from "../testing/bucket-registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"

describe.each(DATABASE_KINDS)("an object store as default storage, on %s", (kind) => {
  let test: BucketRegistry
  let registry: Registry
  beforeEach(async () => {
    test = await createBucketRegistry(kind)
    registry = test.registry
  })
  afterEach(() => test.remove())

  const write = (fileset: string, path: string, text: string) =>
    registry.files.write("default", fileset, parseFilePath(path), bytesOf(text))
  const read = async ({ files }: Registry, fileset: string, path: string) =>
    textOf((await files.read("default", fileset, parseFilePath(path))).bytes)

  it(
    "has a prefix for each fileset, and full references to the operator's secrets",
    verifies("storage.default.objstore", "filesets.create.default-storage", "secret-ref.forms"),
    async () => {
      const { storage } = await registry.filesets.create("default", { name: "set" })
      expect(storage).toEqual({
        ...test.defaultStorage,
        prefix: "base/filesets/default/set",
        access_key_id_secret: "system/id",
        secret_access_key_secret: "system/key",
        use_sdk_auth: false,
        signature_version: "v4",
        read_chunk_size: 1_048_576,
      })
      await write("set", "folder/a.txt", "hello")
      expect(test.store.read("base/filesets/default/set/folder/a.txt").toString()).toBe("hello")
      expect(await read(registry, "set", "folder/a.txt")).toBe("hello")
      expect(test.store.objects()).toEqual(["base/filesets/default/set/folder/a.txt"])
    },
  )

  it("is usable for every caller, without rights in the operator's workspace", async () => {
    const { filesets, files } = registry.as(() => false)
    await filesets.create("default", { name: "set" })
    await files.write("default", "set", parseFilePath("a"), bytesOf("a"))
    const stolen = { ...test.defaultStorage, access_key_id_secret: "system/id", secret_access_key_secret: "system/key" }
    await expect(filesets.create("default", { name: "thief", storage: stolen })).rejects.toMatchObject({
      code: "secret_not_readable",
    })
  })

  it("shows servers that share the database the same files", verifies("storage.default.objstore"), async () => {
    const other = await test.openAnother()
    await registry.filesets.create("default", { name: "set" })
    await write("set", "a", "one")
    expect(await read(other, "set", "a")).toBe("one")
    await other.files.write("default", "set", parseFilePath("a"), bytesOf("two"))
    expect(await read(registry, "set", "a")).toBe("two")
    expect(await registry.files.stat("default", "set", parseFilePath("a"))).toEqual(
      await other.files.stat("default", "set", parseFilePath("a")),
    )
  })

  it("follows the present settings, also for older filesets", async () => {
    await registry.filesets.create("default", { name: "set" })
    await write("set", "a", "kept")
    await registry.secrets.create("system", { name: "new-key", value: test.store.secretAccessKey })
    await registry.secrets.remove("system", "key", { force: true })
    await expect(read(registry, "set", "a")).rejects.toMatchObject({ code: "secret_not_readable" })
    const moved = await test.openAnother({
      defaultStorage: { ...test.defaultStorage, secret_access_key_secret: "new-key" },
    })
    expect(await read(moved, "set", "a")).toBe("kept")
  })

  it(
    "can be opened before its secrets are set, and is ready afterwards",
    verifies("service.health-ready"),
    async () => {
      await registry.secrets.remove("system", "key", { force: true })
      const early = await test.openAnother()
      await expect(early.checkReady()).rejects.toMatchObject({
        code: "secret_not_readable",
        message: expect.stringContaining("'system/key'"),
      })
      await early.secrets.create("system", { name: "key", value: test.store.secretAccessKey })
      await early.checkReady()
      expect(test.store.objects()).toEqual(["base/assay-storage-id"])
    },
  )

  it("is probed with a write until one succeeds, and then only read", verifies("service.health-ready"), async () => {
    const methods = () => new Set(test.store.requests.map(({ method }) => method))
    await registry.checkReady()
    expect(methods()).toContain("PUT")
    const asked = test.store.requests.length
    await registry.checkReady()
    expect(test.store.requests.slice(asked).map(({ method }) => method)).toEqual(["GET"])
    test.store.faults.add({ times: 1, fault: { kind: "refuse", status: 403, code: "AccessDenied" } })
    await expect(registry.checkReady()).rejects.toMatchObject({ name: "AssayError" })
    const after = test.store.requests.length
    await registry.checkReady()
    expect(test.store.requests.slice(after).some(({ method }) => method === "PUT")).toBe(true)
  })

  it(
    "uses the machine's credentials if the operator allows it, and never for users' own storage",
    verifies("storage.objstore.sdk-auth", "brief.storage.objstore.ambient"),
    async () => {
      const { access_key_id_secret: _id, secret_access_key_secret: _key, ...bucket } = test.defaultStorage
      const ambient = await test.openAnother({ defaultStorage: { ...bucket, use_sdk_auth: true } })
      process.env["AWS_ACCESS_KEY_ID"] = test.store.accessKeyId
      process.env["AWS_SECRET_ACCESS_KEY"] = test.store.secretAccessKey
      try {
        await ambient.filesets.create("default", { name: "set" })
        await ambient.files.write("default", "set", parseFilePath("a"), bytesOf("by role"))
        expect(await read(ambient, "set", "a")).toBe("by role")
        await expect(
          ambient.filesets.create("default", { name: "mine", storage: { ...bucket, use_sdk_auth: true } }),
        ).rejects.toMatchObject({ code: "storage_not_allowed" })
      } finally {
        delete process.env["AWS_ACCESS_KEY_ID"]
        delete process.env["AWS_SECRET_ACCESS_KEY"]
      }
    },
  )
})
