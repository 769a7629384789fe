import { createHash } from "node:crypto"
import {
  type FakeObjstoreOptions,
  startFakeCatalog,
  startFakeHub,
  startFakeObjstore,
  verifies,
  bytesOf,
  textOf,
} from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createBackground } from "@assay/database"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../testing/test-registry.ts"
import { filesOf } from "../testing/files-of-revision.ts"
import { createContentDigests } from "./content-digests.ts"
import { createFileDigests } from "./file-digests.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

describe.each(DATABASE_KINDS)("revisions of filesets on remote storage, on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
  })
  afterEach(() => test.remove())

  const read = async (from: Registry, path: string, revision?: string) => {
    const { commit, file, bytes } = await from.revisions.read("default", "remote", parseFilePath(path), { revision })
    return { commit, sha256: file.sha256, text: await textOf(bytes) }
  }

  it("are listed once while they are pinned, also by other servers", verifies("hub.any-backend"), async () => {
    const files = { "a.txt": Buffer.from("one"), "large.bin": { bytes: Buffer.from("two"), lfs: true } }
    const hub = await startFakeHub({ repositories: [{ id: "team/set", files }] })
    await using _closing = { [Symbol.asyncDispose]: () => hub.close() }
    const listings = () => hub.requests.filter(({ operation }) => operation === "tree").length
    const storage = { type: "hub", repo_id: "team/set", endpoint: hub.url } as const
    await registry.filesets.create("default", { name: "remote", storage })
    const { revision = "" } = (await registry.filesets.get("default", "remote")).storage as { revision?: string }
    const before = listings()
    const tree = await registry.revisions.get("default", "remote")
    expect(await read(registry, "a.txt")).toEqual({ commit: tree.commit, sha256: sha256("one"), text: "one" })
    expect(await read(registry, "large.bin")).toMatchObject({ sha256: sha256("two"), text: "two" })
    expect((await read(registry, "a.txt", revision)).commit).toBe(tree.commit)
    expect((await read(registry, "a.txt", tree.commit)).commit).toBe(tree.commit)
    test.clock.time += 100_000
    const another = await test.openAnother()
    expect((await another.revisions.get("default", "remote")).commit).toBe(tree.commit)
    expect(await read(another, "a.txt")).toMatchObject({ commit: tree.commit })
    expect(listings() - before).toBe(1)
  })

  it("return digests that the backend does not provide, after one read of each file", async () => {
    const files = { "b/a.txt": Buffer.from("one"), "c.bin": Buffer.from("two") }
    const assets = [
      { org: "acme", team: "lab", name: "set", kind: "resource" as const, versions: [{ id: "1", files }] },
    ]
    const catalog = await startFakeCatalog({ assets })
    await using _closing = { [Symbol.asyncDispose]: () => catalog.close() }
    await registry.secrets.create("default", { name: "key", value: "nvapi-fake-key" })
    await registry.filesets.create("default", {
      name: "remote",
      storage: { type: "catalog", org: "acme", team: "lab", target: "set", api_key_secret: "key", host: catalog.url },
    })
    const tree = await registry.revisions.get("default", "remote")
    expect((await filesOf(tree)).map(({ path, sha256 }) => [path, sha256])).toEqual([
      ["b/a.txt", null],
      ["c.bin", null],
    ])
    const wanted = [sha256("one"), sha256("two")]
    const fetched = () => catalog.requests.filter(({ host }) => host === "files").length
    const before = fetched()
    const digests = async () => registry.revisions.digests("default", "remote", await filesOf(tree))
    expect(await Promise.all([digests(), digests(), digests()])).toEqual([wanted, wanted, wanted])
    expect(fetched() - before).toBe(2)
    const asked = catalog.requests.length
    expect(await registry.revisions.digests("default", "remote", await filesOf(tree))).toEqual(wanted)
    expect(catalog.requests.length).toBe(asked)
    expect(await read(registry, "c.bin")).toEqual({ commit: tree.commit, sha256: sha256("two"), text: "two" })
    const found = await registry.revisions.find("default", "remote", [sha256("one")])
    expect(found.get(sha256("one"))).toMatchObject([{ path: "b/a.txt" }])
    await expect(read(registry, "none")).rejects.toMatchObject({ context: { path: "none", commit: tree.commit } })
  })

  /** Creates a fileset in a bucket. Returns the store. */
  async function createInBucket(options: FakeObjstoreOptions = {}) {
    const store = await startFakeObjstore({ ...options, now: () => test.clock.time })
    await registry.secrets.create("default", { name: "id", value: store.accessKeyId })
    await registry.secrets.create("default", { name: "key", value: store.secretAccessKey })
    await registry.filesets.create("default", {
      name: "remote",
      storage: {
        type: "objstore",
        bucket: store.bucket,
        region: store.region,
        endpoint_url: store.endpoint,
        access_key_id_secret: "id",
        secret_access_key_secret: "key",
      },
    })
    return { store, [Symbol.asyncDispose]: () => store.close() }
  }

  it("ask clients to retry while a digest takes long, and continue to compute it", async () => {
    await using bucket = await createInBucket({ bytesPerSecond: 20_000 })
    bucket.store.write("slow", "x".repeat(10_000))
    const background = createBackground({ warn: () => {} })
    const content = createContentDigests({ database: await test.openTables(), background })
    const digests = createFileDigests(content, 50)
    const { id } = await registry.filesets.get("default", "remote")
    const storage = await registry.files.open("default", "remote")
    const fileset = { id, workspace: "default", name: "remote", storage, pin: undefined }
    const files = await filesOf(await registry.revisions.get("default", "remote"))
    await expect(digests.all(fileset, files)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("'slow'"),
      context: { retryAfter: 5 },
    })
    const wanted = [sha256("x".repeat(10_000))]
    await expect.poll(() => digests.all(fileset, files).catch(() => []), { timeout: 5000 }).toEqual(wanted)
    await background.end()
  })

  it("have digests of files that were written through this server, and compute those of others", async () => {
    await using bucket = await createInBucket()
    const { store } = bucket
    await registry.files.write("default", "remote", parseFilePath("ours"), bytesOf("one"))
    store.write("theirs", "two")
    const tree = await registry.revisions.get("default", "remote")
    const asked = () => store.requests.filter(({ key }) => key !== "").map(({ key }) => key)
    const before = asked().length
    expect(await registry.revisions.digests("default", "remote", await filesOf(tree))).toEqual([
      sha256("one"),
      sha256("two"),
    ])
    expect(new Set(asked().slice(before))).toEqual(new Set(["theirs"]))
    for (const [path, text] of [
      ["ours", "one"],
      ["theirs", "two"],
    ] as const) {
      expect(await read(registry, path)).toEqual({ commit: tree.commit, sha256: sha256(text), text })
      expect(await read(registry, path, tree.commit)).toMatchObject({ commit: tree.commit, text })
    }
    store.write("theirs", "changed")
    test.clock.time += 2000
    const changed = await registry.revisions.get("default", "remote")
    expect(changed.commit).not.toBe(tree.commit)
    await expect(read(registry, "theirs", tree.commit)).rejects.toMatchObject({ code: "revision_gone" })
    expect(await read(registry, "theirs")).toMatchObject({ commit: changed.commit, sha256: sha256("changed") })
  })
})
