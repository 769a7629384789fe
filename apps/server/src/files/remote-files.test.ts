import { request as httpRequest } from "node:http"
import { startFakeObjstore, verifies } from "@assay/testkit"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import {
  REMOTE_SECRETS,
  type RemoteBackends,
  LARGE_SIZE,
  remoteStorages,
  startRemoteBackends,
} from "../testing/start-remote-backends.ts"
import { FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`

let server: TestServer
let remote: RemoteBackends
beforeAll(async () => {
  remote = await startRemoteBackends()
  // No cache, so that each test reaches the backend.
  server = await startTestServer({ ASSAY_ALLOWED_HOSTS: "127.0.0.1", ASSAY_CACHE_MAX_BYTES: "0" })
  for (const [name, value] of Object.entries(REMOTE_SECRETS)) await setSecret("POST", name, value)
  await create("of-hub", {
    type: "hub",
    repo_id: "team/private",
    endpoint: remote.hub.url,
    token_secret: "hub-token",
    read_chunk_size: 65_536,
  })
  await create("of-catalog", remoteStorages(remote).catalog)
})
afterEach(() => remote.hub.faults.clear())
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await remote[Symbol.asyncDispose]()
})

const setSecret = (method: "POST" | "PATCH", name: string, value: string) =>
  method === "POST"
    ? server.call("POST", `${SECRETS}/default/secrets`, { json: { name, value } })
    : server.call("PATCH", `${SECRETS}/default/secrets/${name}`, { json: { value } })

const ofHub = (path: string) => `${BASE}/of-hub/-/${path}`

async function create(name: string, storage: object): Promise<void> {
  expect((await server.call("POST", BASE, { json: { name, storage } })).json).toMatchObject({ name })
}

/** Requests a path with a client that can disconnect. */
function ask(path: string) {
  let received = 0
  const request = httpRequest(server.url + path, { agent: false }, (response) => {
    response.on("error", () => {})
    response.on("data", (piece: Buffer) => (received += piece.byteLength))
  })
  request.on("error", () => {})
  request.end()
  return { received: () => received, leave: () => request.destroy() }
}

describe.each(["of-hub", "of-catalog"])("a file on remote storage: %s", (name) => {
  const file = `${BASE}/${name}/-/folder/large.bin`

  it(
    "is read whole, by range and with HEAD, like any other",
    verifies("files.download.range", "files.head.route"),
    async () => {
      const whole = await server.call("GET", file)
      expect([whole.status, whole.bytes.byteLength]).toEqual([200, LARGE_SIZE])
      const part = await server.call("GET", file, { headers: { range: "bytes=2999990-" } })
      expect([part.status, part.headers["content-range"]]).toEqual([206, `bytes 2999990-2999999/${LARGE_SIZE}`])
      expect(part.text).toBe(whole.text.slice(-10))
      const facts = await server.call("HEAD", file)
      expect([facts.headers["content-length"], facts.headers.etag]).toEqual([String(LARGE_SIZE), whole.headers.etag])
      const past = await server.call("GET", file, { headers: { range: `bytes=${LARGE_SIZE}-` } })
      expect([past.status, past.headers["content-range"]]).toEqual([416, `bytes */${LARGE_SIZE}`])
      expect((await server.call("GET", `${file}.none`)).json.detail).toBe(
        `File 'folder/large.bin.none' not found in fileset 'default/${name}'`,
      )
    },
  )

  it("can't be written, replaced or deleted: 405 with the reason", verifies("files.upload.read-only"), async () => {
    const tus = { "tus-resumable": "1.0.0", "upload-length": "1", "upload-metadata": "path eA==" }
    for (const answer of [
      await server.call("PUT", `${BASE}/${name}/-/new.txt`, { body: "x" }),
      await server.call("DELETE", file),
      await server.call("POST", `${BASE}/${name}/uploads`, { headers: tus }),
    ]) {
      expect([answer.status, answer.json.code]).toEqual([405, "method_not_allowed"])
      expect(answer.json.detail).toMatch(/its (hub|catalog) storage is read-only/)
    }
  })
})

describe("a failure of the remote backend", () => {
  it.each([
    [401, 502, "upstream_refused"],
    [403, 502, "upstream_refused"],
    [404, 404, "upstream_missing"],
    [500, 502, "upstream_failed"],
  ])(
    "with %i before the first byte results in %i, not in a broken stream",
    verifies("files.download.upstream-status", "storage.upstream-statuses"),
    async (status, expected, code) => {
      remote.hub.faults.add({ fault: { kind: "refuse", status } })
      const answer = await server.call("GET", ofHub("large-1"))
      expect([answer.status, answer.json.code]).toEqual([expected, code])
      expect(answer.json.detail).toContain("team/private")
    },
  )

  it(
    "after the first byte closes the connection, so that the client sees an incomplete body",
    verifies("files.download.broken-off"),
    async () => {
      const isBytes = ({ operation }: { readonly operation: string }) => operation === "resolve"
      remote.hub.faults.add({ when: isBytes, times: 1, fault: { kind: "cut", after: 1_000_000 } })
      remote.hub.faults.add({ when: isBytes, skip: 1, fault: { kind: "refuse", status: 404 } })
      await expect(server.call("GET", ofHub("large-1"))).rejects.toThrow(/aborted|hang up/)
    },
  )

  it("that is temporary is retried and not visible to the client", async () => {
    remote.hub.faults.add({
      when: ({ operation }) => operation === "resolve",
      times: 2,
      fault: { kind: "cut", after: 1_000_000 },
    })
    expect((await server.call("GET", ofHub("large-2"))).bytes.byteLength).toBe(LARGE_SIZE)
  })
})

describe("a client that disconnects", () => {
  it.each([
    ["before the first byte", "large-3", {}, 0],
    ["while the remote side is silent", "large-4", { after: 1_000_000 }, 900_000],
  ])("%s ends the request to the backend", async (_, path, stalled, bytes) => {
    remote.hub.faults.add({ when: ({ url }) => url.includes(path), fault: { kind: "stall", ...stalled } })
    const client = ask(ofHub(path))
    await expect.poll(() => [remote.hub.countOpenAnswers(), client.received() >= bytes]).toEqual([1, true])
    client.leave()
    await expect.poll(() => remote.hub.countOpenAnswers()).toBe(0)
    expect(server.log()).not.toContain('"code":"internal"')
  })
})

describe("a changed secret", () => {
  it(
    "is used from the next read on, and a deleted one is named in the error",
    verifies("secret-ref.resolved-late"),
    async () => {
      const read = (path: string) => server.call("GET", ofHub(path))
      expect((await read("a.txt")).text).toBe("hello")
      await setSecret("PATCH", "hub-token", REMOTE_SECRETS.wrong)
      const refused = await read("b.txt")
      expect([refused.status, refused.json.code]).toEqual([502, "upstream_refused"])
      await setSecret("PATCH", "hub-token", REMOTE_SECRETS["hub-token"])
      expect((await read("b.txt")).text).toBe("hello")
      await server.call("DELETE", `${SECRETS}/default/secrets/hub-token?force=true`)
      for (const path of ["b.txt", "c.txt"]) {
        const missing = await read(path)
        expect([missing.status, missing.json.code]).toEqual([400, "secret_not_readable"])
        expect(missing.json.detail).toContain("'default/hub-token'")
      }
      await setSecret("POST", "hub-token", REMOTE_SECRETS["hub-token"])
      expect((await read("c.txt")).text).toBe("hello")
    },
  )
})

describe("an object store without conditional writes", () => {
  it("returns 501 for conditions, and writes nothing", verifies("files.upload.unconditional-backend"), async () => {
    const objstore = await startFakeObjstore({
      conditionalWrites: "not-implemented",
      accessKeyId: REMOTE_SECRETS["store-id"],
      secretAccessKey: REMOTE_SECRETS["store-key"],
    })
    await create("of-store", {
      type: "objstore",
      bucket: objstore.bucket,
      region: objstore.region,
      endpoint_url: objstore.endpoint,
      access_key_id_secret: "store-id",
      secret_access_key_secret: "store-key",
    })
    const put = (headers: Record<string, string>) =>
      server.call("PUT", `${BASE}/of-store/-/a.txt`, { body: "hello", headers })
    for (const headers of [{ "if-match": '"x"' }, { "if-none-match": "*" }]) {
      const answer = await put(headers)
      expect([answer.status, answer.json.code]).toEqual([501, "unsupported"])
    }
    expect(objstore.objects()).toEqual([])
    expect((await put({})).status).toBe(200)
    expect((await server.call("GET", `${BASE}/of-store/-/a.txt`)).text).toBe("hello")
    await objstore.close()
  })
})
