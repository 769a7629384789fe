import { setTimeout as sleep } from "node:timers/promises"
import type { StorageConfiguration } from "@assay/schemas"
import { type LoopbackHandler, startLoopbackServer, verifies } from "@assay/testkit"
import { beforeAll, describe, expect, it, vi, type TestContext } from "vitest"
import { createTransport } from "@assay/http/node"
import { parseFilePath } from "../file-path.ts"
import { openStorage, type RemoteStorageContext } from "../open-storage.ts"
import type { Storage } from "../storage.ts"
import { inPieces, sampleBytes } from "../testing/sample-bytes.ts"

const PATH = parseFilePath("a/file.txt")
const SECRETS: Readonly<Record<string, string>> = { id: "AKID", key: "secret", nv: "nvapi-1", old: "x".repeat(32) }
const MIB = 1024 * 1024

// A deadline of a quarter of a second leaves no time to load them. The tests only wait, so they run at the same time.
beforeAll(() => Promise.all([import("../objstore/open.ts"), import("../hub/open.ts"), import("../catalog/open.ts")]))

/** Creates a context with a real clock and real waits. Its deadline is a quarter of a second. */
function patientRemote(over: Partial<RemoteStorageContext> = {}): RemoteStorageContext {
  return {
    transport: createTransport(),
    now: Date.now,
    random: () => 0,
    async sleep(milliseconds, signal) {
      await sleep(milliseconds, undefined, signal && { signal })
    },
    workspace: "default",
    resolveSecret: async ({ name }) => SECRETS[name] ?? "",
    deadlineMs: 250,
    ...over,
  }
}

async function serve({ onTestFinished }: TestContext, handle: LoopbackHandler) {
  const server = await startLoopbackServer(handle)
  onTestFinished(() => server.close())
  return server
}

const silent: LoopbackHandler = () => {}
const trickling: LoopbackHandler = async ({ raw }, response) => {
  response.writeHead(200, {
    "content-type": raw.url?.includes("list-type") === true ? "application/xml" : "application/json",
  })
  for (let count = 0; count < 600 && !raw.socket.destroyed; count++) {
    response.write(" ")
    await sleep(50)
  }
}

const COMMIT = "0123456789abcdef0123456789abcdef01234567"
const objstore = (url: string): StorageConfiguration => ({
  type: "objstore",
  bucket: "data",
  endpoint_url: url,
  region: "us-east-1",
  access_key_id_secret: "id",
  secret_access_key_secret: "key",
})
const hub = (url: string): StorageConfiguration => ({
  type: "hub",
  repo_id: "acme/net",
  endpoint: url,
  revision: COMMIT,
})
const catalog = (url: string): StorageConfiguration => ({
  type: "catalog",
  org: "acme",
  team: "",
  target: "net",
  host: url,
  api_key_secret: "nv",
  version: "1",
  original_version: "1",
})

const late = (operation: string, target: string, seconds = "0.25") =>
  expect.objectContaining({
    code: "upstream_timeout",
    status: 504,
    message: expect.stringMatching(
      new RegExp(`^Could not ${operation} .*${target}.*within ${seconds} s, including retries`),
    ),
  })

const operations: readonly (readonly [string, (storage: Storage) => Promise<unknown>])[] = [
  ["stat", (storage) => storage.stat(PATH)],
  ["list", (storage) => Array.fromAsync(storage.list())],
  ["read", (storage) => storage.read(PATH)],
]
const writing: typeof operations = [
  ["write", (storage) => storage.write(PATH, inPieces(sampleBytes(10)))],
  ["write", (storage) => storage.write(PATH, inPieces(sampleBytes(20 * MIB)))],
  ["write", (storage) => storage.write(PATH, inPieces(sampleBytes(10)), { ifNoneMatch: "*" })],
  ["delete", (storage) => storage.delete(PATH)],
]

describe.concurrent("a backend that accepts requests and stays silent", () => {
  it.for([
    ["object store", objstore, [...operations, ...writing]],
    ["hub", hub, operations],
    ["catalog", catalog, operations],
  ] as const)(
    "ends each operation on the %s within its deadline, including retries",
    verifies("storage.external.deadline"),
    async ([, configOf, asked], test) => {
      const server = await serve(test, silent)
      const { storage } = await openStorage(configOf(server.url), { remote: patientRemote() })
      for (const [operation, ask] of asked) {
        const begun = performance.now()
        await expect(ask(storage), operation).rejects.toEqual(late(operation, server.url))
        expect(performance.now() - begun).toBeLessThan(15_000)
      }
    },
  )

  it.for([
    ["hub whose branch is resolved", (url: string) => ({ ...hub(url), revision: "main" }) as StorageConfiguration],
    ["catalog whose version is resolved", (url: string) => ({ ...catalog(url), version: "" }) as StorageConfiguration],
    [
      "catalog whose key is exchanged",
      (url: string) => ({ ...catalog(url), version: "", api_key_secret: "old" }) as StorageConfiguration,
    ],
  ] as const)("ends the opening of a %s", verifies("storage.external.deadline"), async ([, configOf], test) => {
    const server = await serve(test, silent)
    await expect(openStorage(configOf(server.url), { remote: patientRemote() })).rejects.toEqual(
      late("open", server.url),
    )
  })

  it(
    "ends an operation that waits for credentials from that backend",
    verifies("storage.external.deadline"),
    async (test) => {
      const server = await serve(test, silent)
      vi.stubEnv("AWS_WEB_IDENTITY_TOKEN_FILE", import.meta.filename)
      vi.stubEnv("AWS_ROLE_ARN", "arn:aws:iam::1:role/x")
      vi.stubEnv("AWS_ENDPOINT_URL_STS", server.url)
      vi.stubEnv("AWS_REGION", "us-east-1")
      test.onTestFinished(() => void vi.unstubAllEnvs())
      const config = { type: "objstore", bucket: "data", endpoint_url: server.url, use_sdk_auth: true } as const
      const { storage } = await openStorage(config, { remote: patientRemote({ allowAmbient: true }) })
      await expect(storage.stat(PATH)).rejects.toEqual(late("stat", server.url))
      expect(server.requests.every(({ method }) => method === "POST")).toBe(true)
    },
  )

  it.for([
    ["object store", objstore],
    ["hub", hub],
  ] as const)(
    "reports the refusal of a %s whose Retry-After is after the deadline",
    verifies("storage.external.deadline"),
    async ([, configOf], test) => {
      const server = await serve(
        test,
        (_request, response) => void response.writeHead(429, { "retry-after": "50" }).end(),
      )
      const { storage } = await openStorage(configOf(server.url), { remote: patientRemote({ deadlineMs: 5000 }) })
      await expect(storage.stat(PATH)).rejects.toMatchObject({
        code: "upstream_timeout",
        message: expect.stringContaining("status 429 after 5 s"),
        context: { status: 429 },
      })
      expect(server.requests.length).toBeLessThan(3)
    },
  )

  it("still follows the signal of the caller", async (test) => {
    const aborting = new AbortController()
    const server = await serve(test, () => aborting.abort(new Error("gone")))
    const { storage } = await openStorage(objstore(server.url), { remote: patientRemote({ deadlineMs: 60_000 }) })
    await expect(storage.stat(PATH, { signal: aborting.signal })).rejects.toThrow("gone")
  })
})

describe.concurrent("a backend that sends one byte at a time", () => {
  it.for([
    ["object store", objstore],
    ["hub", hub],
    ["catalog", catalog],
  ] as const)(
    "ends a listing of the %s within its deadline",
    verifies("storage.external.deadline"),
    async ([, configOf], test) => {
      const server = await serve(test, trickling)
      const { storage } = await openStorage(configOf(server.url), { remote: patientRemote() })
      await expect(Array.fromAsync(storage.list())).rejects.toEqual(late("list", server.url))
    },
  )
})

/** Stops the clock for a test, which moves it by the returned function. Not for tests that run at the same time as others. */
function holdTime({ onTestFinished }: TestContext): (milliseconds: number) => Promise<unknown> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] })
  onTestFinished(() => void vi.useRealTimers())
  return (milliseconds) => vi.advanceTimersByTimeAsync(milliseconds)
}

it(
  "Without another deadline, a read from a silent backend fails within 45 seconds",
  verifies("storage.external.deadline"),
  async (test) => {
    const asked = Promise.withResolvers<void>()
    const server = await serve(test, () => asked.resolve())
    const pass = holdTime(test)
    const { deadlineMs: _none, ...remote } = patientRemote()
    const { storage } = await openStorage(hub(server.url), { remote })
    const ended = storage.stat(PATH).then(
      () => "answered",
      (error: { readonly code?: string }) => error.code,
    )
    await asked.promise
    await pass(45_000)
    expect(await ended).toBe("upstream_timeout")
  },
)

describe("a backend that is slow but continues", () => {
  const FILE = sampleBytes(3000)
  const remote = () => patientRemote({ deadlineMs: 2000 })

  /** Serves an object whose bytes arrive in three parts, each when the test allows it. */
  const inTurns =
    (turns: readonly Promise<void>[]): LoopbackHandler =>
    async (_, response) => {
      response.writeHead(206, { "content-range": `bytes 0-2999/3000`, "content-length": "3000", etag: '"1"' })
      response.flushHeaders()
      for (const [index, turn] of turns.entries()) {
        await turn
        response.write(FILE.subarray(index * 1000, (index + 1) * 1000))
      }
      response.end()
    }

  it("is read without a deadline after the first byte", verifies("storage.external.deadline"), async (test) => {
    const turns = [1, 2, 3].map(() => Promise.withResolvers<void>())
    const server = await serve(test, inTurns(turns.map(({ promise }) => promise)))
    const pass = holdTime(test)
    const { storage } = await openStorage(objstore(server.url), { remote: remote() })
    const [first, ...others] = turns
    first?.resolve()
    const { promise: hasBegun, resolve: onProgress } = Promise.withResolvers<void>()
    const { bytes } = await storage.read(PATH, { onProgress })
    const reading = Array.fromAsync(bytes)
    await hasBegun
    for (const turn of others) {
      await pass(5000)
      turn.resolve()
    }
    expect(Buffer.concat(await reading).equals(FILE)).toBe(true)
  })

  it(
    "fails at the deadline if it sends its headers and no byte",
    verifies("storage.external.deadline"),
    async (test) => {
      const server = await serve(test, inTurns([new Promise(() => {})]))
      const pass = holdTime(test)
      const { storage } = await openStorage(objstore(server.url), { remote: remote() })
      const { bytes } = await storage.read(PATH)
      const ended = expect(Array.fromAsync(bytes)).rejects.toEqual(late("read", server.url, "2"))
      await pass(5000)
      await ended
    },
  )

  it(
    "does not exceed its deadline if its reader or its source is slow",
    verifies("storage.external.deadline"),
    async (test) => {
      const server = await serve(test, (request, response) => {
        if (request.method === "GET") return inTurns([1, 2, 3].map(() => Promise.resolve()))(request, response)
        response.writeHead(200, { etag: '"1"', "content-length": request.method === "HEAD" ? "1" : "0" }).end()
      })
      const pass = holdTime(test)
      const { storage } = await openStorage(objstore(server.url), { remote: remote() })
      const { bytes } = await storage.read(PATH)
      await pass(5000)
      expect(Buffer.concat(await Array.fromAsync(bytes)).equals(FILE)).toBe(true)
      async function* source() {
        await pass(5000)
        yield Buffer.from("a")
        await pass(5000)
      }
      expect(await storage.write(PATH, source())).toMatchObject({ size: 1 })
    },
  )

  it(
    "lists page after page for longer than the deadline, as long as pages come",
    verifies("storage.external.deadline"),
    async (test) => {
      const pass = holdTime(test)
      let page = 0
      const server = await serve(test, async (_, response) => {
        await pass(1500)
        const last = ++page === 4
        const entries = [{ type: "file", path: `f${page}`, size: 1, oid: COMMIT }]
        const link = `<${server.url}/next/${page}>; rel="next"`
        response
          .writeHead(200, { "content-type": "application/json", ...(last ? {} : { link }) })
          .end(JSON.stringify(entries))
      })
      const { storage } = await openStorage(hub(server.url), { remote: remote() })
      expect((await Array.fromAsync(storage.list())).map(({ path }) => path)).toEqual(["f1", "f2", "f3", "f4"])
    },
  )
})
