import type { CreateFileset } from "@assay/schemas"
import { type FakeHub, type HubRequest, startFakeHub, verifies, bytesOf, textOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../testing/test-registry.ts"

const SIZE = 1000
const PATHS = Array.from({ length: 8 }, (_, number) => `f${number}`)
const FILES = Object.fromEntries(PATHS.map((path, number) => [path, Buffer.alloc(SIZE, number)]))
const DONE = { status: "done", files: 8, cached_files: 8, bytes: 8 * SIZE, cached_bytes: 8 * SIZE, error: null }
const IDLE = { status: "idle", files: null, cached_files: 0, bytes: null, cached_bytes: 0, error: null }
/** Not the check that is made when a fileset is created. */
const isRead = ({ operation, headers }: HubRequest) => operation === "resolve" && headers["range"] !== "bytes=0-0"

describe.each(DATABASE_KINDS)("the warm-up of a fileset, on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  let hub: FakeHub
  beforeEach(async () => {
    hub = await startFakeHub({ repositories: [{ id: "team/set", files: FILES }] })
    test = await createTestRegistry(kind, { readCache: { maxBytes: 1_000_000, spoolFolder: "" } })
    registry = test.registry
  })
  afterEach(async () => {
    await test.remove()
    await hub.close()
  })

  const make = (body: Partial<CreateFileset> = {}, from = registry) =>
    from.filesets.create("default", {
      name: "set",
      storage: { type: "hub", repo_id: "team/set", endpoint: hub.url },
      ...body,
    })
  const state = (from = registry) => from.caches.get("default", "set")
  const statuses = async (from = registry) => {
    const { data } = await from.files.list("default", "set", { include_cache_status: true })
    return data.map(({ cache_status }) => cache_status)
  }
  /** Counts the requests for the bytes of each file. */
  const asked = () => Object.groupBy(hub.requests.filter(isRead), ({ url }) => url.slice(url.lastIndexOf("/") + 1))
  const expectAskedOnce = () => {
    const times = PATHS.map((path) => asked()[path]?.length)
    expect(times).toEqual(PATHS.map(() => 1))
  }

  it(
    "starts when the fileset is made with `cache`, and reports each cached file",
    verifies("filesets.create.cache"),
    async () => {
      await make({ cache: true })
      await expect.poll(() => state()).toEqual(DONE)
      expect(await statuses()).toEqual(PATHS.map(() => "cached"))
      expectAskedOnce()
    },
  )

  it("does not start for a fileset without `cache` before a client requests it", async () => {
    await make()
    expect(await state()).toEqual(IDLE)
    expect(await registry.caches.warm("default", "set")).toMatchObject({ status: "warming" })
    await expect.poll(() => state()).toEqual(DONE)
    await registry.caches.warm("default", "set")
    await expect.poll(() => state()).toEqual(DONE)
    expectAskedOnce()
  })

  it("does not happen on local storage, where `cache` has no effect", verifies("filesets.create.cache"), async () => {
    await registry.filesets.create("default", { name: "set", cache: true })
    expect(await state()).toEqual(IDLE)
    const refusal = { code: "method_not_allowed", message: expect.stringContaining("as fast") }
    await expect(registry.caches.warm("default", "set")).rejects.toMatchObject(refusal)
    await expect(registry.caches.drop("default", "set")).rejects.toMatchObject(refusal)
  })

  it("is refused with a message on a server without a cache", async () => {
    const { readCache: _readCache, ...without } = test.options
    await registry.close()
    const bare = await test.openAnother({ ...without, readCache: { maxBytes: 0, spoolFolder: "" } })
    await make({ cache: true }, bare)
    expect(await state(bare)).toEqual(IDLE)
    const warming = bare.caches.warm("default", "set")
    await expect(warming).rejects.toMatchObject({ message: expect.stringContaining("ASSAY_CACHE_MAX_BYTES") })
  })

  it("continues after a restart, and fetches nothing twice", async () => {
    hub.faults.add({ when: isRead, skip: 4, fault: { kind: "latency", ms: 2000 } })
    await make({ cache: true })
    await expect.poll(async () => (await statuses()).filter((status) => status === "cached").length).toBe(4)
    await registry.close()
    hub.faults.clear()
    const restarted = await test.openAnother()
    expect(await state(restarted)).toMatchObject({ status: "warming" })
    await expect.poll(() => state(restarted)).toEqual(DONE)
    expect(PATHS.slice(0, 4).map((path) => asked()[path]?.length)).toEqual([1, 1, 1, 1])
  })

  it("runs on one of the servers that share the database", async () => {
    const others = [await test.openAnother(), await test.openAnother()]
    hub.faults.add({ when: isRead, fault: { kind: "latency", ms: 50 } })
    await make({ cache: true })
    for (const other of others) expect(await other.caches.warm("default", "set")).toMatchObject({ status: "warming" })
    await expect.poll(() => state(others[0])).toEqual(DONE)
    expectAskedOnce()
  })

  it("is continued by another server if its server is killed", async () => {
    const { id } = await make()
    await registry.close()
    const tables = await test.openTables()
    const held = { status: "warming", cached_files: 3, cached_bytes: 3, asked_at: 0 } as const
    const leased_until = test.clock.time + 60_000
    await tables.write((queries) =>
      queries
        .insertInto("cache_warmups")
        .values({ fileset_id: id, ...held, leased_until })
        .execute(),
    )
    const second = await test.openAnother()
    if (kind === "postgres") {
      // The server may be alive. It counts as gone after a minute of silence.
      expect(await state(second)).toMatchObject({ status: "warming", cached_files: 3 })
      await test.pass(61_000)
      await second.close()
    }
    const third = kind === "postgres" ? await test.openAnother() : second
    await expect.poll(() => state(third)).toEqual(DONE)
  })

  it("reports how many files failed and why, and can be repeated", async () => {
    hub.faults.add({
      when: (request) => isRead(request) && request.url.endsWith("f3"),
      fault: { kind: "refuse", status: 500, message: "out of order" },
    })
    await make({ cache: true })
    await expect
      .poll(() => state())
      .toMatchObject({ status: "failed", files: 8, cached_files: 7, cached_bytes: 7 * SIZE })
    expect((await state()).error).toMatch(/^1 of 8 files are not cached\. Could not read 'f3'.*team\/set/)
    hub.faults.clear()
    await registry.caches.warm("default", "set")
    await expect.poll(() => state()).toEqual(DONE)
  })

  it("stops after several failures in a row", async () => {
    await make()
    hub.faults.add({ when: isRead, fault: { kind: "refuse", status: 403, message: "closed" } })
    await registry.caches.warm("default", "set")
    await expect.poll(() => state()).toMatchObject({ status: "failed", cached_files: 0 })
    expect(Object.keys(asked()).length).toBeLessThan(8)
    expect((await state()).error).toMatch(/^8 of 8 files are not cached\./)
  })

  it("fails with a message if the files can't be listed", async () => {
    await make()
    await hub.close()
    await registry.caches.warm("default", "set")
    await expect.poll(() => state()).toMatchObject({ status: "failed", files: null })
    expect((await state()).error).toContain("Could not list")
  })

  it("does not evict its own files if not all of them fit", async () => {
    await registry.close()
    registry = await test.openAnother({ readCache: { maxBytes: 3 * SIZE, spoolFolder: "" } })
    await make({ cache: true })
    await expect.poll(() => state()).toMatchObject({ status: "failed", cached_files: 3, cached_bytes: 3 * SIZE })
    expect((await state()).error).toBe(
      "5 of 8 files are not cached. 5 don't fit into the read cache, whose limit is 3000 bytes.",
    )
    expect((await statuses()).filter((status) => status === "cached")).toHaveLength(3)
  })

  it("can be dropped, also while it is running", async () => {
    await make({ cache: true })
    await expect.poll(() => state()).toEqual(DONE)
    expect(await registry.caches.drop("default", "set")).toEqual(IDLE)
    expect(new Set(await statuses())).toEqual(new Set(["not_cached"]))
    hub.faults.add({ when: isRead, skip: 2, fault: { kind: "latency", ms: 300 } })
    await registry.caches.warm("default", "set")
    await expect.poll(() => statuses()).toContain("cached")
    expect(await registry.caches.drop("default", "set")).toEqual(IDLE)
    await expect.poll(() => statuses(), { timeout: 5000 }).not.toContain("caching")
    expect((await statuses()).filter((status) => status === "cached").length).toBeLessThanOrEqual(2)
  })

  it(
    "continues after a rename, and a new fileset of the old name has none of its files",
    verifies("filesets.rename"),
    async () => {
      hub.faults.add({ when: isRead, skip: 2, fault: { kind: "latency", ms: 300 } })
      await make({ cache: true })
      await expect.poll(() => statuses()).toContain("cached")
      await registry.filesets.update("default", "set", { name: "moved" })
      await registry.filesets.create("default", { name: "set" })
      await registry.files.write("default", "set", parseFilePath("f0"), bytesOf("new"))
      await expect.poll(() => registry.caches.get("default", "moved"), { timeout: 15_000 }).toEqual(DONE)
      expectAskedOnce()
      for (const path of PATHS) {
        expect(await textOf((await registry.files.read("default", "moved", parseFilePath(path))).bytes)).toBe(
          String(FILES[path]),
        )
      }
      expectAskedOnce()
      expect(await textOf((await registry.files.read("default", "set", parseFilePath("f0"))).bytes)).toBe("new")
      const { data } = await registry.files.list("default", "set", { include_cache_status: true })
      expect(data.map(({ path, cache_status }) => [path, cache_status])).toEqual([["f0", "not_cacheable"]])
      await registry.caches.drop("default", "moved")
      expect(await registry.caches.get("default", "moved")).toEqual(IDLE)
    },
  )

  it("ends when the fileset is removed", async () => {
    hub.faults.add({ when: isRead, fault: { kind: "stall" } })
    await make({ cache: true })
    await make({ name: "same" })
    await expect.poll(() => hub.countOpenAnswers()).toBe(2)
    await registry.filesets.remove("default", "set")
    await expect(state()).rejects.toMatchObject({ code: "not_found" })
    // Files in progress are silent for 5 s and are fetched to the end, because others may read them.
    hub.faults.clear()
    const cached = async () => {
      const { data } = await registry.files.list("default", "same", { include_cache_status: true })
      return data.flatMap(({ path, cache_status }) => (cache_status === "cached" ? [path] : []))
    }
    await expect.poll(cached).toEqual(["f0", "f1"])
    // Longer than the request for the next file takes.
    for (const path of ["f6", "f7"])
      await textOf((await registry.files.read("default", "same", parseFilePath(path))).bytes)
    await registry.close()
    expect(Object.keys(asked()).toSorted()).toEqual(["f0", "f1", "f6", "f7"])
    expect(test.warnings).toEqual([])
  })
})
