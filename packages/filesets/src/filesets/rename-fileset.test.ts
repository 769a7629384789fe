import { readFile, readdir } from "node:fs/promises"
import { join } from "node:path"
import { verifies, bytesOf, textOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createBucketRegistry, type BucketRegistry } from "../testing/bucket-registry.ts"
import { createTestRegistry, type TestRegistry, type Registry } from "../testing/test-registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"

const write = ({ files }: Registry, fileset: string, path: string, text: string) =>
  files.write("default", fileset, parseFilePath(path), bytesOf(text))
const read = async ({ files }: Registry, fileset: string, path: string) =>
  textOf((await files.read("default", fileset, parseFilePath(path))).bytes)

describe.each(DATABASE_KINDS)("a renamed fileset on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
  })
  afterEach(() => test.remove())

  const rename = (from: string, to: string) => registry.filesets.update("default", from, { name: to })

  it("keeps its files, its digests and its values", verifies("filesets.rename"), async () => {
    const fields = { description: "d", purpose: "dataset", custom_fields: { a: 1 }, metadata: {} } as const
    const made = await registry.filesets.create("default", { name: "old", ...fields })
    const file = await write(registry, "old", "a/b.txt", "kept")
    const renamed = await rename("old", "new")
    expect(renamed).toMatchObject({
      ...fields,
      id: made.id,
      name: "new",
      storage: made.storage,
      created_at: made.created_at,
    })
    expect(await registry.filesets.get("default", "new")).toEqual(renamed)
    expect(await read(registry, "new", "a/b.txt")).toBe("kept")
    const { sha256, etag } = await registry.files.stat("default", "new", parseFilePath("a/b.txt"))
    expect([sha256, etag]).toEqual([file.sha256, file.etag])
    await expect(registry.filesets.get("default", "old")).rejects.toMatchObject({ code: "not_found" })
    const query = { page: 1, page_size: 10, sort: "name" } as const
    const { data } = await registry.filesets.list("default", query, "all")
    expect(data.map(({ name }) => name)).toEqual(["new"])
  })

  it("can be read to the end by a client that began under the old name", verifies("filesets.rename"), async () => {
    await registry.filesets.create("default", { name: "old" })
    const text = "x".repeat(3_000_000)
    await write(registry, "old", "large", text)
    const { bytes } = await registry.files.read("default", "old", parseFilePath("large"))
    await rename("old", "new")
    expect((await textOf(bytes)).length).toBe(text.length)
  })

  it("has its new name in the response to a write that began before", verifies("filesets.rename"), async () => {
    await registry.filesets.create("default", { name: "old" })
    async function* bytes() {
      yield Buffer.from("first")
      await rename("old", "new")
      await registry.filesets.create("default", { name: "old" })
      yield Buffer.from("second")
    }
    const written = await registry.files.write("default", "old", parseFilePath("a/b.txt"), bytes())
    expect(written).toMatchObject({ file_ref: "default/new#a/b.txt", file_url: expect.stringContaining("/new/") })
    expect(written).toEqual(await registry.files.stat("default", "new", parseFilePath("a/b.txt")))
    await expect(registry.files.stat("default", "old", parseFilePath("a/b.txt"))).rejects.toMatchObject({
      code: "not_found",
    })
  })

  it("shares no files with a new fileset of the old name", verifies("filesets.rename"), async () => {
    await registry.filesets.create("default", { name: "old" })
    await write(registry, "old", "file", "of the first")
    await rename("old", "new")
    const second = await registry.filesets.create("default", { name: "old" })
    await expect(registry.files.stat("default", "old", parseFilePath("file"))).rejects.toMatchObject({
      code: "not_found",
    })
    await write(registry, "old", "file", "of the second")
    expect(second.storage).toMatchObject({ path: join(test.folder, `storage/filesets/default/~${second.id}`) })
    expect((await registry.filesets.get("default", "old")).storage).toEqual(second.storage)
    expect([await read(registry, "new", "file"), await read(registry, "old", "file")]).toEqual([
      "of the first",
      "of the second",
    ])
    await registry.filesets.remove("default", "old")
    expect(await read(registry, "new", "file")).toBe("of the first")
    await registry.filesets.create("default", { name: "old" })
    await write(registry, "old", "file", "of the third")
    await registry.filesets.remove("default", "new")
    expect(await read(registry, "old", "file")).toBe("of the third")
    // After the last fileset that used the folder, the folder is free again.
    await registry.filesets.remove("default", "old")
    const last = await registry.filesets.create("default", { name: "old" })
    expect(last.storage).toMatchObject({ path: join(test.folder, "storage/filesets/default/old") })
  })

  it("can exchange names with others without an exchange of files", async () => {
    for (const name of ["a", "b"]) {
      await registry.filesets.create("default", { name })
      await write(registry, name, "file", `of ${name}`)
    }
    await rename("a", "c")
    await rename("b", "a")
    await rename("c", "b")
    expect([await read(registry, "a", "file"), await read(registry, "b", "file")]).toEqual(["of b", "of a"])
    const folders = await readdir(join(test.folder, "storage/filesets/default"))
    expect(folders.toSorted()).toEqual(["a", "b"])
    expect(await readFile(join(test.folder, "storage/filesets/default/a/file"), "utf8")).toBe("of a")
  })

  it("can't get the name of another one, and has to exist", verifies("filesets.rename"), async () => {
    await registry.filesets.create("default", { name: "one" })
    await registry.filesets.create("default", { name: "two" })
    await expect(rename("one", "two")).rejects.toMatchObject({
      code: "already_exists",
      message: "Fileset 'default/two' already exists",
    })
    expect(await rename("one", "one")).toMatchObject({ name: "one" })
    await expect(rename("none", "other")).rejects.toMatchObject({ code: "not_found" })
    const outcomes = await Promise.allSettled([rename("one", "x"), rename("one", "y"), rename("two", "x")])
    expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0)
    const { data } = await registry.filesets.list("default", { page: 1, page_size: 10, sort: "name" }, "all")
    expect(new Set(data.map(({ name }) => name)).size).toBe(2)
  })
})

describe.each(DATABASE_KINDS)("a renamed fileset on an object store, on %s", (kind) => {
  let test: BucketRegistry
  let registry: Registry
  beforeEach(async () => {
    test = await createBucketRegistry(kind)
    registry = test.registry
  })
  afterEach(() => test.remove())

  it("keeps its objects, and a new one of the old name has another prefix", verifies("filesets.rename"), async () => {
    await registry.filesets.create("default", { name: "old" })
    await write(registry, "old", "file", "of the first")
    await registry.filesets.update("default", "old", { name: "new" })
    const second = await registry.filesets.create("default", { name: "old" })
    await write(registry, "old", "file", "of the second")
    expect(test.store.objects().toSorted()).toEqual([
      "base/filesets/default/old/file",
      `base/filesets/default/~${second.id}/file`,
    ])
    expect([await read(registry, "new", "file"), await read(registry, "old", "file")]).toEqual([
      "of the first",
      "of the second",
    ])
    await registry.filesets.remove("default", "new")
    await expect.poll(() => test.store.objects()).toEqual([`base/filesets/default/~${second.id}/file`])
    expect(await read(registry, "old", "file")).toBe("of the second")
  })

  it(
    "keeps its own bucket, and is read and written there under the new name",
    verifies("filesets.rename"),
    async () => {
      const storage = { ...test.defaultStorage, prefix: "own" }
      const secrets = { access_key_id_secret: "system/id", secret_access_key_secret: "system/key" }
      const mine = registry.as(() => true)
      await mine.filesets.create("default", { name: "old", storage: { ...storage, ...secrets } })
      const { files } = mine
      await files.write("default", "old", parseFilePath("file"), bytesOf("one"))
      await registry.filesets.update("default", "old", { name: "new" })
      await files.write("default", "new", parseFilePath("file"), bytesOf("two"))
      expect(await textOf((await files.read("default", "new", parseFilePath("file"))).bytes)).toBe("two")
      await registry.filesets.create("default", { name: "old" })
      await write(registry, "old", "file", "of the second")
      expect(test.store.objects().toSorted()).toEqual(["base/filesets/default/old/file", "own/file"])
      await registry.filesets.remove("default", "new")
      expect(test.store.objects().toSorted()).toEqual(["base/filesets/default/old/file", "own/file"])
    },
  )

  it("keeps a file whose write ends after it was renamed", verifies("filesets.rename"), async () => {
    await registry.filesets.create("default", { name: "old" })
    async function* bytes() {
      yield new TextEncoder().encode("late")
      await registry.filesets.update("default", "old", { name: "new" })
    }
    await registry.files.write("default", "old", parseFilePath("file"), bytes())
    expect(await read(registry, "new", "file")).toBe("late")
  })
})
