import { createHash } from "node:crypto"
import { startFakeHub, startFakeObjstore, type FakeHub } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../testing/test-registry.ts"

const CONTENT = Buffer.alloc(50_000, "content")
const SHA256 = createHash("sha256").update(CONTENT).digest("hex")

describe.each(DATABASE_KINDS)("digests that a backend does not provide, on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  let hub: FakeHub
  beforeEach(async () => {
    hub = await startFakeHub({ repositories: [{ id: "team/open", files: { "a.txt": CONTENT, "b.txt": CONTENT } }] })
    test = await createTestRegistry(kind)
    registry = test.registry
    const storage = { type: "hub", repo_id: "team/open", endpoint: hub.url, read_chunk_size: 10_000 } as const
    await registry.filesets.create("default", { name: "remote", storage })
  })
  afterEach(async () => {
    await test.remove()
    await hub.close()
  })

  const listDigests = async (from: Registry) =>
    (await from.files.list("default", "remote", {})).data.map(({ path, sha256 }) => [path, sha256])

  it("are stored when a file is read completely, and returned in listings, records and reads from then on", async () => {
    expect(await listDigests(registry)).toEqual([
      ["a.txt", null],
      ["b.txt", null],
    ])
    const { bytes } = await registry.files.read("default", "remote", parseFilePath("a.txt"))
    expect(Buffer.concat(await Array.fromAsync(bytes)).equals(CONTENT)).toBe(true)
    expect(await listDigests(registry)).toEqual([
      ["a.txt", SHA256],
      ["b.txt", null],
    ])
    expect((await registry.files.stat("default", "remote", parseFilePath("a.txt"))).sha256).toBe(SHA256)
    const again = await registry.files.read("default", "remote", parseFilePath("a.txt"))
    expect(again.file.sha256).toBe(SHA256)
    await again.bytes[Symbol.asyncIterator]().return?.()
    expect(await listDigests(await test.openAnother())).toEqual(await listDigests(registry))
  })

  it("are stored after the last byte, even if the reader does not ask for the end", async () => {
    const pieces = (await registry.files.read("default", "remote", parseFilePath("b.txt"))).bytes[
      Symbol.asyncIterator
    ]()
    for (let seen = 0; seen < CONTENT.byteLength;) seen += (await pieces.next()).value?.byteLength ?? 0
    await pieces.return?.()
    expect((await registry.files.stat("default", "remote", parseFilePath("b.txt"))).sha256).toBe(SHA256)
  })

  it("are stored for a file whose metadata contain one, although listings do not", async () => {
    const store = await startFakeObjstore({ buckets: { files: { publicRead: true } } })
    onTestFinished(() => store.close())
    store.write("a.txt", CONTENT, { headers: { "x-amz-meta-sha256": SHA256 } })
    const storage = { type: "objstore", bucket: store.bucket, endpoint_url: store.endpoint } as const
    await registry.filesets.create("default", { name: "store", storage })
    const listed = async () => (await registry.files.list("default", "store", {})).data[0]?.sha256
    expect(await listed()).toBeNull()
    await registry.files.stat("default", "store", parseFilePath("a.txt"))
    expect(await listed()).toBe(SHA256)
  })

  it("are not stored for a range of a file, or for a partial read", async () => {
    const part = await registry.files.read("default", "remote", parseFilePath("a.txt"), {
      range: { kind: "from", start: 0 },
    })
    await Array.fromAsync(part.bytes)
    const half = (await registry.files.read("default", "remote", parseFilePath("b.txt"))).bytes[Symbol.asyncIterator]()
    await half.next()
    await half.return?.()
    expect(await listDigests(registry)).toEqual([
      ["a.txt", null],
      ["b.txt", null],
    ])
  })
})
