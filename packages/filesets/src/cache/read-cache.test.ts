import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { CreateFileset } from "@assay/schemas"
import { type FakeHub, startFakeHub, verifies, bytesOf, textOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Database } from "@assay/database"
import type { CallerFilesets } from "../open-filesets.ts"
import { createBucketRegistry } from "../testing/bucket-registry.ts"
import { createTestRegistry, type TestRegistry, type Registry } from "../testing/test-registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"

const TOKEN = "hf_the-token-of-a-test"
const FILES = { "a.txt": Buffer.from("alpha"), "b.txt": Buffer.from("beta"), "c/d.txt": Buffer.from("gamma") }

describe.each(DATABASE_KINDS)("files of remote filesets in the read cache, on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  let hub: FakeHub
  beforeEach(async () => {
    hub = await startFakeHub({
      repositories: [{ id: "team/set", private: true, files: FILES }],
      tokens: { [TOKEN]: ["team/set"] },
    })
    test = await createTestRegistry(kind, { readCache: { maxBytes: 1_000_000, spoolFolder: "" } })
    registry = test.registry
    for (const workspace of ["mine", "yours"]) {
      await registry.workspaces.create({ name: workspace })
      await registry.secrets.create(workspace, { name: "token", value: TOKEN })
    }
  })
  afterEach(async () => {
    await test.remove()
    await hub.close()
  })

  const storage = (token_secret = "token"): NonNullable<CreateFileset["storage"]> => ({
    type: "hub",
    repo_id: "team/set",
    endpoint: hub.url,
    token_secret,
  })
  const make = (workspace: string, name = "set", body: Partial<CreateFileset> = {}) =>
    registry.as(() => true).filesets.create(workspace, { name, storage: storage(), ...body })
  const read = async ({ files }: Pick<CallerFilesets, "files">, workspace: string, path = "a.txt") =>
    textOf((await files.read(workspace, "set", parseFilePath(path))).bytes)
  const statuses = async (workspace: string, from: Registry = registry) => {
    const { data } = await from.files.list(workspace, "set", { include_cache_status: true })
    return data.map(({ path, cache_status }) => `${path} ${cache_status}`)
  }
  const cached = async () => {
    const entries = await readdir(join(test.folder, "storage/cache"), { recursive: true }).catch(() => [])
    return entries.filter((path) => /[0-9a-f]{64}$/.test(path))
  }
  const warming = (tables: Database) =>
    tables.read((queries) =>
      queries.selectFrom("cache_warmups").select("fileset_id").where("status", "=", "warming").execute(),
    )
  const ALL_CACHED = ["a.txt cached", "b.txt cached", "c/d.txt cached"]

  it(
    "are listed with their cache status on request",
    verifies("files.shape.cache-status", "files.list.include-cache-status"),
    async () => {
      await make("mine")
      await registry.filesets.create("mine", { name: "near" })
      await registry.files.write("mine", "near", parseFilePath("file"), bytesOf("x"))
      expect(await statuses("mine")).toEqual(["a.txt not_cached", "b.txt not_cached", "c/d.txt not_cached"])
      expect(await read(registry, "mine")).toBe("alpha")
      await expect.poll(() => statuses("mine")).toContain("a.txt cached")
      // Nothing has to be asked about a local file.
      for (const query of [{ include_cache_status: true }, {}]) {
        const near = await registry.files.list("mine", "near", query)
        expect(near.data.map(({ cache_status }) => cache_status)).toEqual(["not_cacheable"])
      }
      const silent = await registry.files.list("mine", "set", {})
      expect(new Set(silent.data.map(({ cache_status }) => cache_status))).toEqual(new Set([null]))
    },
  )

  it("are read without the remote side, by every fileset with the same pin, and after a restart", async () => {
    await make("mine")
    await make("yours")
    await read(registry, "mine")
    await expect.poll(() => statuses("yours")).toContain("a.txt cached")
    const facts = await registry.files.stat("mine", "set", parseFilePath("a.txt"))
    await registry.close()
    const restarted = await test.openAnother()
    await hub.close()
    for (const workspace of ["mine", "yours"]) expect(await read(restarted, workspace)).toBe("alpha")
    expect(await restarted.files.stat("mine", "set", parseFilePath("a.txt"))).toEqual(facts)
    await expect(read(restarted, "mine", "b.txt")).rejects.toMatchObject({ code: "upstream_failed" })
  })

  it("are readable only for callers who may use their secret", async () => {
    await registry.as(() => true).filesets.create("yours", { name: "set", storage: storage("mine/token") })
    expect(
      await read(
        registry.as(() => true),
        "yours",
      ),
    ).toBe("alpha")
    await expect.poll(cached).toHaveLength(1)
    await expect(read(registry, "yours")).rejects.toMatchObject({ code: "secret_not_readable" })
    await registry.secrets.remove("mine", "token", { force: true })
    await expect(
      read(
        registry.as(() => true),
        "yours",
      ),
    ).rejects.toMatchObject({ code: "secret_not_readable" })
  })

  it("are evicted when the limit is lowered, and all of them when the cache is turned off", async () => {
    await make("mine", "set", { cache: true })
    await expect.poll(() => statuses("mine")).toEqual(ALL_CACHED)
    await registry.close()
    const smaller = await test.openAnother({ readCache: { maxBytes: 10, spoolFolder: "" } })
    await expect.poll(cached).toHaveLength(2)
    await smaller.close()
    const none = await test.openAnother({ readCache: { maxBytes: 0, spoolFolder: "" } })
    await expect.poll(cached).toEqual([])
    expect(await statuses("mine", none)).toEqual([
      "a.txt not_cacheable",
      "b.txt not_cacheable",
      "c/d.txt not_cacheable",
    ])
    expect(await read(none, "mine")).toBe("alpha")
  })

  it("are removed from the index at the next start if their bytes are gone, as are the remains of a crash", async () => {
    await make("mine", "set", { cache: true })
    await expect.poll(() => statuses("mine")).toEqual(ALL_CACHED)
    // Otherwise the next start continues it, and fetches the missing files.
    const tables = await test.openTables()
    await expect.poll(() => warming(tables)).toEqual([])
    await registry.close()
    const folder = join(test.folder, "storage/cache")
    await rm(join(folder, (await cached())[0] ?? ""))
    const left = join(folder, "00", "0".repeat(64))
    await mkdir(join(left, ".."), { recursive: true })
    await writeFile(left, "what a crash has left")
    await utimes(left, 1, 1)
    const restarted = await test.openAnother()
    await expect.poll(cached).toHaveLength(2)
    const known = async () => (await statuses("mine", restarted)).map((status) => status.split(" ")[1] ?? "").toSorted()
    await expect.poll(known).toEqual(["cached", "cached", "not_cached"])
  })
})

describe("a read cache on an object store", () => {
  it("is used for filesets on other storage, and not for those on the default storage", async () => {
    await using stack = new AsyncDisposableStack()
    const test = await createBucketRegistry("sqlite")
    stack.defer(() => test.remove())
    const hub = await startFakeHub({ repositories: [{ id: "team/set", files: FILES }] })
    stack.defer(() => hub.close())
    const registry = await test.openAnother({
      readCache: { maxBytes: 1_000_000, spoolFolder: join(test.folder, "spool") },
    })
    await registry.filesets.create("default", { name: "own" })
    await registry.files.write("default", "own", parseFilePath("file"), bytesOf("x"))
    await textOf((await registry.files.read("default", "own", parseFilePath("file"))).bytes)
    await registry.filesets.create("default", {
      name: "remote",
      storage: { type: "hub", repo_id: "team/set", endpoint: hub.url },
      cache: true,
    })
    const statuses = async (name: string) => {
      const { data } = await registry.files.list("default", name, { include_cache_status: true })
      return new Set(data.map(({ cache_status }) => cache_status))
    }
    await expect.poll(() => statuses("remote")).toEqual(new Set(["cached"]))
    expect(await statuses("own")).toEqual(new Set(["not_cacheable"]))
    const keys = test.store.objects().filter((key) => key.startsWith("base/cache/"))
    expect(keys).toHaveLength(3)
    await registry.secrets.update("system", "key", { value: "another" })
    // The cache becomes unreadable, which callers do not notice.
    expect(await textOf((await registry.files.read("default", "remote", parseFilePath("a.txt"))).bytes)).toBe("alpha")
    expect(test.warnings).toContain("Could not read from the read cache")
  })
})
