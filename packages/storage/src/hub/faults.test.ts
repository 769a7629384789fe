import { startFakeHub, type HubFault, type HubRequest, type PlannedHubFault } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { codeOf, listPaths, readAll } from "../testing/ask.ts"
import { openTestHub } from "../testing/open-test-hub.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"

const MIB = 1024 * 1024
/** A file of several parts, and a file of one part. */
const LARGE = sampleBytes(18 * MIB)
const SMALL = sampleBytes(50_000)
const FILES = { large: { bytes: LARGE, lfs: true }, small: SMALL }

type When = NonNullable<PlannedHubFault["when"]>
const onHub: When = ({ host }) => host === "hub"
const onCdn: When = ({ host }) => host === "cdn"
const onPart =
  (start: number): When =>
  ({ host, headers }: HubRequest) =>
    host === "cdn" && (headers["range"] ?? "").startsWith(`bytes=${start}-`)

/** @param silenceMs milliseconds that the hub may be silent. Default: more than a busy machine needs */
async function start(silenceMs = 30_000) {
  const hub = await startFakeHub({ repositories: [{ id: "acme/net", files: FILES }] })
  onTestFinished(() => hub.close())
  const limits = { firstByteMs: silenceMs, idleMs: silenceMs }
  const { storage, remote } = await openTestHub({ endpoint: hub.url, limits })
  return { hub, storage, remote }
}

async function expectWhole(storage: Awaited<ReturnType<typeof start>>["storage"]): Promise<void> {
  expect(Buffer.compare(await readAll(storage, "small"), SMALL)).toBe(0)
  expect(Buffer.compare(await readAll(storage, "large"), LARGE)).toBe(0)
}

describe("a read of hub storage", () => {
  it.each<[string, HubFault]>([
    ["break off", { kind: "cut", after: 20_000 }],
    ["break off at once", { kind: "hang-up" }],
    ["fall silent", { kind: "stall", after: 20_000 }],
    ["never start", { kind: "stall" }],
    ["end early without an error", { kind: "end-early", after: 20_000 }],
    ["fail temporarily", { kind: "refuse", status: 503 }],
  ])("is complete if responses %s", async (_title, fault) => {
    const { hub, storage } = await start(fault.kind === "stall" ? 500 : undefined)
    hub.faults.add({ when: onHub, times: 1, fault })
    hub.faults.add({ when: onPart(8 * MIB), times: 1, fault })
    await expectWhole(storage)
    await expect.poll(() => hub.countOpenAnswers()).toBe(0)
  })

  it("ends with an error after six interruptions", async () => {
    const { hub, storage } = await start()
    const fault = { kind: "cut", after: 100 } as const
    hub.faults.add({ when: onPart(0), fault })
    const isRest: When = ({ host, headers }) => host === "cdn" && (headers["range"] ?? "").endsWith("-8388607")
    hub.faults.add({ when: isRest, fault })
    await expect(readAll(storage, "large")).rejects.toMatchObject({
      code: "upstream_failed",
      message: expect.stringContaining("the bytes broke off 6 times"),
    })
  })

  it.each<[string, HubFault, When, string]>([
    ["wrong, in git", { kind: "wrong-byte", at: 49_999 }, onHub, "upstream_failed"],
    ["wrong, outside git", { kind: "wrong-byte", at: 5 }, onPart(8 * MIB), "upstream_failed"],
    ["too many", { kind: "run-on", extra: 1 }, onCdn, "upstream_failed"],
    ["of another version", { kind: "other-version" }, onPart(8 * MIB), "storage_changed"],
    ["the whole file instead of a part", { kind: "ignore-range" }, onPart(8 * MIB), "upstream_failed"],
    ["compressed, in git", { kind: "headers", headers: { "content-encoding": "gzip" } }, onHub, "upstream_failed"],
    ["of another commit", { kind: "headers", headers: { "x-repo-commit": "0".repeat(40) } }, onHub, "upstream_failed"],
    ["of no commit", { kind: "headers", headers: { "x-repo-commit": "" } }, onHub, "upstream_failed"],
    ["of another length", { kind: "headers", headers: { "x-linked-size": "7" } }, onHub, "upstream_failed"],
  ])("never returns bytes that are %s", async (title, fault, when, code) => {
    const { hub, storage } = await start()
    const path = title.endsWith("in git") ? "small" : "large"
    const content = path === "small" ? SMALL : LARGE
    hub.faults.add({ when, fault })
    const read: Uint8Array[] = []
    const reading = async () => {
      const { bytes } = await storage.read(parseFilePath(path))
      for await (const piece of bytes) read.push(Buffer.from(piece))
    }
    expect(await codeOf(reading())).toBe(code)
    // A wrong byte is detected at the end. Then the last piece is not returned.
    expect(Buffer.concat(read).byteLength).toBeLessThan(content.byteLength)
  })

  it("needs no digest for a part, and refuses the whole file instead of it", async () => {
    const { hub, storage } = await start()
    const range = { kind: "from", start: 10, end: 19 } as const
    expect(await readAll(storage, "small", { range })).toEqual(Buffer.from(SMALL.subarray(10, 20)))
    hub.faults.add({ fault: { kind: "ignore-range" } })
    expect(await codeOf(readAll(storage, "small", { range }))).toBe("upstream_failed")
    // The range covers the whole file, so the whole file may be sent.
    expect(await readAll(storage, "small")).toEqual(Buffer.from(SMALL))
  })

  it("reports a range past the end, whether or not the hub names the commit", async () => {
    const { hub, storage } = await start()
    const range = { kind: "from", start: SMALL.byteLength } as const
    expect(await codeOf(readAll(storage, "small", { range }))).toBe("range_not_satisfiable")
    hub.faults.add({ fault: { kind: "headers", headers: { "x-repo-commit": "", etag: "" } } })
    expect(await codeOf(readAll(storage, "small", { range }))).toBe("range_not_satisfiable")
  })

  it("has the ETag of listings even if a proxy has weakened it", async () => {
    const { hub, storage } = await start()
    const listed = await storage.stat(parseFilePath("small"))
    hub.faults.add({ when: onHub, fault: { kind: "headers", headers: { etag: `W/${listed.etag}` } } })
    const { file, bytes } = await storage.read(parseFilePath("small"))
    expect(file).toEqual(listed)
    expect(Buffer.concat(await Array.fromAsync(bytes)).equals(SMALL)).toBe(true)
  })

  it("waits as long as the hub requests, up to a minute", async () => {
    const { hub, storage, remote } = await start()
    const asked: Record<string, string>[] = [
      { "retry-after": "3" },
      { "retry-after": "900" },
      { ratelimit: '"api";r=0;t=7', "ratelimit-policy": '"fixed window";"api";q=500;w=300' },
    ]
    for (const headers of asked) {
      hub.faults.add({ when: onHub, times: 1, fault: { kind: "refuse", status: 429, headers } })
      await readAll(storage, "small")
    }
    expect(remote.waits).toEqual([3000, 60_000, 7000])
  })

  it("ends at once, also upstream, when the reader stops", async () => {
    const { hub, storage } = await start()
    const leaving = new AbortController()
    const { bytes } = await storage.read(parseFilePath("large"), { signal: leaving.signal })
    await bytes[Symbol.asyncIterator]().next()
    expect(hub.countOpenAnswers()).toBeGreaterThan(0)
    leaving.abort(new Error("gone"))
    await expect.poll(() => hub.countOpenAnswers()).toBe(0)
  })
})

describe("a listing of hub storage", () => {
  it.each<[string, HubFault]>([
    ["break off", { kind: "cut", after: 20 }],
    ["break off at once", { kind: "hang-up" }],
    ["fall silent", { kind: "stall", after: 20 }],
    ["fail temporarily", { kind: "refuse", status: 502 }],
  ])("is complete if responses %s", async (_title, fault) => {
    const { hub, storage } = await start(fault.kind === "stall" ? 500 : undefined)
    hub.faults.add({ times: 2, fault })
    expect(await listPaths(storage)).toEqual(["large", "small"])
  })

  it.each<[string, string]>([
    ["a body that is not JSON", "["],
    ["JSON that is not a list", '{"error":"none"}'],
    ["invalid entries", "[1]"],
    ["entries without a size", '[{"type":"file","path":"a"}]'],
  ])("fails if the hub returns %s", async (_title, text) => {
    const { hub, storage } = await start()
    hub.faults.add({ fault: { kind: "body", text } })
    expect(await codeOf(listPaths(storage))).toBe("upstream_failed")
    expect(await codeOf(storage.stat(parseFilePath("small")))).toBe("upstream_failed")
  })

  it("fails if its pages form a circle", async () => {
    const { hub, storage } = await start()
    hub.faults.add({ fault: { kind: "headers", headers: { link: '<?page=2>; rel="next"' } } })
    await expect(listPaths(storage)).rejects.toThrow("the pages of its listing form a circle")
  })

  it("leaves out names that are not valid paths", async () => {
    const { hub, storage } = await start()
    const names = ["a\\b", "a\u0007", "x".repeat(256), "ok"]
    const text = JSON.stringify(names.map((path) => ({ type: "file", path, size: 1, oid: "x" })))
    hub.faults.add({ fault: { kind: "body", text } })
    expect(await Array.fromAsync(storage.list())).toEqual([
      { path: "ok", size: 1, etag: '"x"', sha256: null, updatedAt: null },
    ])
  })

  it("ends with the reason when it is aborted, and leaves nothing open", async () => {
    const { hub, storage } = await start()
    hub.faults.add({ fault: { kind: "stall", after: 3 } })
    const leaving = new AbortController()
    const listing = listPaths(storage, { signal: leaving.signal })
    await expect.poll(() => hub.countOpenAnswers()).toBe(1)
    leaving.abort(new Error("gone"))
    await expect(listing).rejects.toThrow("gone")
    await expect.poll(() => hub.countOpenAnswers()).toBe(0)
  })
})
