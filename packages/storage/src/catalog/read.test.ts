import {
  startFakeCatalog,
  type CatalogFault,
  type CatalogRequest,
  type FakeCatalog,
  type FakeCatalogAsset,
  type FakeCatalogOptions,
} from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { codeOf, readAll } from "../testing/ask.ts"
import { openTestCatalog } from "../testing/open-test-catalog.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { openCatalogStorage } from "./open.ts"
import { expectBytes } from "../testing/expect-bytes.ts"

const CONTENT = sampleBytes(100_000)
const PATH = parseFilePath("folder/file.bin")
const PINNED = { version: "1", original_version: "latest", read_chunk_size: 8192 }

interface StartOptions extends Partial<FakeCatalogOptions> {
  /** Milliseconds that the catalog may be silent. Default: more than a busy machine needs. */
  readonly silenceMs?: number
}

async function start(asset: Partial<FakeCatalogAsset> = {}, { silenceMs = 30_000, ...options }: StartOptions = {}) {
  const files = { [PATH]: CONTENT, "other.bin": sampleBytes(5) }
  const model = { org: "acme", team: "vision", name: "net", kind: "model", versions: [{ id: "1", files }] } as const
  const catalog = await startFakeCatalog({ assets: [{ ...model, ...asset }], ...options })
  onTestFinished(() => catalog.close())
  const limits = { firstByteMs: silenceMs, idleMs: silenceMs }
  return { catalog, ...(await openTestCatalog({ host: catalog.url, config: PINNED, key: "nvapi-fake-key", limits })) }
}

const ofFiles = ({ host, method }: CatalogRequest) => host === "files" && method === "GET"
const ofApi = ({ host }: CatalogRequest) => host === "api"

function hosts({ requests }: FakeCatalog): readonly string[] {
  return requests.map(({ host }) => host)
}

describe("a read of a file that the catalog serves itself", () => {
  const JSON_PATH = parseFilePath("config.json")
  const json = Buffer.from('{"layers": 3}')
  const direct = {
    singleFile: "direct",
    versions: [{ id: "1", files: { [PATH]: CONTENT, [JSON_PATH]: json } }],
  } as const

  it("sends the key with every range", async () => {
    const { catalog, storage } = await start(direct)
    expect(await readAll(storage, PATH, { range: { kind: "from", start: 5, end: 9 } })).toHaveLength(5)
    expect(catalog.requests.map(({ headers }) => [headers.authorization, headers.range])).toEqual([
      ["Bearer nvapi-fake-key", "bytes=0-0"],
      ["Bearer nvapi-fake-key", "bytes=5-9"],
    ])
  })

  it("does not mistake a JSON file for an error", async () => {
    const { catalog, storage } = await start(direct)
    catalog.faults.add({ when: ({ path }) => path.endsWith(".json"), fault: { kind: "ignore-range" } })
    expect(await readAll(storage, JSON_PATH)).toEqual(json)
  })

  it("does not mistake an error for a JSON file, even if its status is 200", async () => {
    const { catalog, storage } = await start(direct)
    catalog.faults.add({
      when: ({ path }) => path.endsWith("missing"),
      fault: { kind: "refuse", status: 200, statusCode: "SUCCESS" },
    })
    expect(await codeOf(readAll(storage, "missing"))).toBe("not_found")
  })

  it("recognizes a file by its first bytes, however long its JSON is", async () => {
    const long = Buffer.from(JSON.stringify({ words: "x".repeat(100_000) }))
    const { catalog, storage } = await start({ ...direct, versions: [{ id: "1", files: { [JSON_PATH]: long } }] })
    catalog.faults.add({ when: ofApi, times: 1, fault: { kind: "ignore-range" } })
    expect(await readAll(storage, JSON_PATH)).toEqual(long)
  })

  it("reports as much as possible of a refusal that breaks off", async () => {
    const { catalog, storage } = await start(direct)
    catalog.faults.add({ when: ofApi, fault: { kind: "refuse", status: 412 } })
    catalog.faults.add({ when: ofApi, fault: { kind: "cut", after: 5 } })
    expect(await codeOf(readAll(storage, PATH))).toBe("upstream_gated")
  })

  it("reports why it was refused in the middle", async () => {
    const { catalog, storage } = await start(direct)
    await readAll(storage, PATH)
    catalog.faults.add({ when: ofApi, fault: { kind: "refuse", status: 412 } })
    expect(await codeOf(readAll(storage, PATH))).toBe("upstream_gated")
  })
})

describe("a read of a catalog file", () => {
  it("requests the address once, and reads there without the key", async () => {
    const { catalog, storage } = await start()
    expectBytes(await readAll(storage, PATH), CONTENT)
    expect(await readAll(storage, PATH, { range: { kind: "suffix", length: 5 } })).toEqual(
      Buffer.from(CONTENT.subarray(-5)),
    )
    expect(await storage.stat(PATH)).toMatchObject({ size: 100_000 })
    expect(hosts(catalog)).toEqual(["api", "files", "files", "files"])
    const [api, ...files] = catalog.requests
    expect(api?.headers.authorization).toBe("Bearer nvapi-fake-key")
    expect(files.map(({ headers }) => [headers.authorization, headers["accept-encoding"]])).toEqual(
      files.map(() => [undefined, "identity"]),
    )
  })

  it("requests another address when the current one has expired", async () => {
    const { catalog, storage, remote } = await start({}, { addressSeconds: 60, now: () => remote.now() })
    await readAll(storage, PATH)
    remote.pass(61_000)
    expectBytes(await readAll(storage, PATH), CONTENT)
    expect(hosts(catalog)).toEqual(["api", "files", "files", "api", "files"])
  })

  it("requests another address once for all parts that are refused at the same time", async () => {
    const big = sampleBytes(25 * 1024 * 1024)
    const { catalog, storage, remote } = await start(
      { versions: [{ id: "1", files: { [PATH]: big } }] },
      { addressSeconds: 60, now: () => remote.now() },
    )
    const { bytes } = await storage.read(PATH)
    remote.pass(61_000)
    expect(Buffer.concat(await Array.fromAsync(bytes)).equals(Buffer.from(big))).toBe(true)
    expect(hosts(catalog).filter((host) => host === "api")).toHaveLength(2)
  })

  it("gives up if a new address of a listed file is refused too", async () => {
    const { catalog, storage } = await start()
    catalog.faults.add({ when: ofFiles, fault: { kind: "refuse", status: 403 } })
    await expect(readAll(storage, PATH)).rejects.toThrow(
      `${catalog.filesUrl}, to which the catalog redirects, answers 403`,
    )
    expect(await codeOf(readAll(storage, PATH))).toBe("upstream_failed")
  })

  it("reports a missing file if the store only refuses it", async () => {
    const { catalog, storage } = await start({ signsAnything: true })
    await expect(readAll(storage, "folder/missing")).rejects.toThrow(
      `Could not read 'folder/missing' (catalog storage, model 'acme/vision/net:1' at ${catalog.url}): the version has no such file`,
    )
    const before = catalog.requests.length
    expect(await codeOf(readAll(storage, "folder"))).toBe("not_found")
    expect(catalog.requests).toHaveLength(before)
  })

  it.each<[string, CatalogFault, number]>([
    ["cut in the middle", { kind: "cut", after: 30_000 }, 5],
    ["ended early without an error", { kind: "end-early", after: 30_000 }, 3],
    ["silent in the middle", { kind: "stall", after: 30_000 }, 1],
  ])("continues after bytes were %s", async (_title, fault, times) => {
    const { catalog, storage, remote } = await start({}, fault.kind === "stall" ? { silenceMs: 300 } : {})
    catalog.faults.add({ when: ofFiles, times, fault })
    expectBytes(await readAll(storage, PATH), CONTENT)
    const ranges = catalog.requests.filter(ofFiles).map(({ headers }) => headers.range)
    expect(ranges.slice(0, 2)).toEqual(["bytes=0-8388607", "bytes=30000-99999"])
    expect(remote.waits.length).toBeGreaterThan(0)
  })

  it("fails after six interruptions", async () => {
    const { catalog, storage } = await start()
    catalog.faults.add({ when: ofFiles, fault: { kind: "cut", after: 1000 } })
    await expect(readAll(storage, PATH)).rejects.toThrow("the bytes broke off 6 times")
  })

  it.each<[string, CatalogFault, string]>([
    ["more bytes than announced", { kind: "run-on", extra: 10 }, "more bytes came than were announced"],
    ["no response in time", { kind: "stall" }, "it was silent for too long"],
    ["a proxy's page", { kind: "proxy-page", status: 200 }, "bytes came, and the catalog lists 100000"],
    ["a proxy's error page", { kind: "proxy-page", status: 502 }, "answers 502"],
    ["failures", { kind: "refuse", status: 500 }, "answers 500"],
    ["broken connections", { kind: "hang-up" }, "No answer came from"],
  ])("refuses %s", async (_title, fault, message) => {
    const { catalog, storage } = await start({}, fault.kind === "stall" ? { silenceMs: 100 } : {})
    catalog.faults.add({ when: ofFiles, fault })
    const reading = readAll(storage, PATH)
    await expect(reading).rejects.toThrow(message)
    expect(await codeOf(reading)).toBe("upstream_failed")
  })

  it("refuses the whole file instead of a range", async () => {
    const { catalog, storage } = await start()
    catalog.faults.add({ when: ofFiles, fault: { kind: "ignore-range" } })
    const reading = readAll(storage, PATH, { range: { kind: "from", start: 10, end: 20 } })
    await expect(reading).rejects.toThrow("it ignores ranges")
  })

  it("accepts the whole file instead of its first part if the listing confirms the size", async () => {
    const { catalog, storage } = await start()
    catalog.faults.add({ when: ofFiles, fault: { kind: "ignore-range" } })
    expectBytes(await readAll(storage, PATH), CONTENT)
    expect(catalog.requests.at(-1)?.path).toBe("/v2/org/acme/team/vision/models/net/versions/1/files")
  })

  it("refuses a file whose size differs from the listing", async () => {
    const { catalog, storage } = await start()
    await Array.fromAsync(storage.list())
    catalog.faults.add({
      when: ofApi,
      fault: { kind: "redirect", to: `${catalog.filesUrl}${await addressOf(catalog, "other.bin")}` },
    })
    await expect(readAll(storage, PATH)).rejects.toThrow("5 bytes came, and the catalog lists 100000")
  })

  it("never mixes the bytes of two versions of a file", async () => {
    const { catalog, storage } = await start()
    catalog.faults.add({ when: ofFiles, times: 1, fault: { kind: "cut", after: 30_000 } })
    catalog.faults.add({
      when: ({ headers }) => headers.range === "bytes=30000-99999",
      fault: { kind: "other-version" },
    })
    expect(await codeOf(readAll(storage, PATH))).toBe("storage_changed")
  })

  it("obeys the requested wait", async () => {
    const { catalog, storage, remote } = await start()
    catalog.faults.add({ when: ofApi, times: 1, fault: { kind: "refuse", status: 429, retryAfter: 7 } })
    catalog.faults.add({ when: ofFiles, times: 1, fault: { kind: "refuse", status: 503, retryAfter: 3 } })
    expectBytes(await readAll(storage, PATH), CONTENT)
    expect(remote.waits).toEqual([7000, 3000])
  })

  it("follows redirects of the store, and stops if they form a circle", async () => {
    const { catalog, storage } = await start()
    const address = `${catalog.filesUrl}${await addressOf(catalog, PATH)}`
    catalog.faults.add({
      when: ofFiles,
      times: 1,
      fault: { kind: "redirect", to: address.replace("127.0.0.1", "localhost") },
    })
    expectBytes(await readAll(storage, PATH), CONTENT)
    catalog.faults.add({ when: ofFiles, fault: { kind: "redirect", to: address } })
    await expect(readAll(storage, PATH)).rejects.toThrow("redirects more than 5 times")
    expect(catalog.requests.filter(ofFiles).every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })

  it("follows no redirect to an invalid address", async () => {
    const { catalog, storage } = await start()
    catalog.faults.add({ when: ofApi, fault: { kind: "redirect", to: "file:///etc/passwd" } })
    await expect(readAll(storage, PATH)).rejects.toThrow("the catalog redirects to an invalid address")
  })

  it("follows no redirect from TLS to plain HTTP", async () => {
    const { catalog, remote } = await start()
    const transport: typeof remote.transport = (request, signal) =>
      remote.transport(
        { ...request, origin: request.origin.replace("https://catalog.example.com", catalog.url) },
        signal,
      )
    const config = {
      type: "catalog",
      org: "acme",
      team: "vision",
      target: "net",
      target_type: "model",
      ...PINNED,
    } as const
    const host = "https://catalog.example.com"
    const { storage } = await openCatalogStorage(
      { ...config, host, api_key_secret: "catalog-key" },
      { ...remote, transport },
    )
    await expect(readAll(storage, PATH)).rejects.toThrow("the catalog redirects to an address without TLS")
  })

  it("drops addresses that were not used for a long time", async () => {
    const paths = Array.from({ length: 257 }, (_, at) => `${at}.bin`)
    const files = Object.fromEntries(paths.map((path) => [path, sampleBytes(3)]))
    const { catalog, storage } = await start({ versions: [{ id: "1", files }] })
    for (const path of paths) await readAll(storage, path)
    await readAll(storage, "256.bin")
    expect(hosts(catalog).filter((host) => host === "api")).toHaveLength(257)
    await readAll(storage, "0.bin")
    expect(hosts(catalog).filter((host) => host === "api")).toHaveLength(258)
  })

  it("closes the connection of a read that is aborted or left", async () => {
    const { catalog, storage } = await start()
    catalog.faults.add({ when: ofFiles, fault: { kind: "stall", after: 30_000 } })
    const aborting = new AbortController()
    const reading = readAll(storage, PATH, { signal: aborting.signal })
    await expect.poll(() => catalog.countOpenAnswers()).toBe(1)
    aborting.abort(new Error("nobody reads"))
    await expect(reading).rejects.toThrow("nobody reads")
    await expect.poll(() => catalog.countOpenAnswers()).toBe(0)
    for await (const _piece of (await storage.read(PATH)).bytes) break
    await expect.poll(() => catalog.countOpenAnswers()).toBe(0)
  })
})

/** Returns the current signed address of a file. */
async function addressOf({ url }: FakeCatalog, path: string): Promise<string> {
  const headers = { authorization: "Bearer nvapi-fake-key" }
  const answer = await fetch(`${url}/v2/org/acme/team/vision/models/net/versions/1/files/${path}`, {
    headers,
    redirect: "manual",
  })
  const { pathname, search } = new URL(answer.headers.get("location") ?? "")
  return pathname + search
}
