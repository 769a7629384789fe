import type { Grant } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import {
  REMOTE_SECRETS,
  type RemoteBackends,
  LARGE_SIZE,
  remoteStorages,
  startRemoteBackends,
} from "../testing/start-remote-backends.ts"
import { FILES, SECRETS, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`
const GRANTS: Readonly<Record<string, readonly Grant[]>> = {
  editor: [{ workspace: "default", role: "admin" }],
  viewer: [{ workspace: "default", role: "viewer" }],
}

let server: TestServer
let remote: RemoteBackends
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  remote = await startRemoteBackends()
  server = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_ALLOWED_HOSTS: "127.0.0.1" })
  tokens = await createTokens(server, GRANTS)
  for (const [name, value] of Object.entries(REMOTE_SECRETS)) {
    await as("editor", "POST", `${SECRETS}/default/secrets`, { json: { name, value } })
  }
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await remote[Symbol.asyncDispose]()
})

const as = (who: string, method: string, path: string, options: Call = {}) =>
  server.call(method, path, { ...options, headers: { authorization: `Bearer ${tokens.get(who)}`, ...options.headers } })
const get = (path: string, headers = {}) => as("viewer", "GET", `${BASE}/${path}`, { headers })
const create = (name: string, storage: object, cache = false) =>
  as("editor", "POST", BASE, { json: { name, storage, cache } })
const catalog = () => remoteStorages(remote).catalog
const hub = () => ({ type: "hub", repo_id: "team/private", endpoint: remote.hub.url, token_secret: "hub-token" })
const statusOf = async (name: string, path: string) =>
  (await get(`${name}/files?include_cache_status=true&path=${path}`)).json.data[0].cache_status

describe("the cache of a fileset on remote storage", () => {
  it(
    "is filled after the creation with cache: true, and its status shows the progress",
    verifies("filesets.create.cache"),
    async () => {
      expect((await create("warmed", catalog(), true)).status).toBe(200)
      await expect
        .poll(async () => (await get("warmed/cache")).json)
        .toEqual({
          status: "done",
          files: 8,
          cached_files: 8,
          bytes: 5 * LARGE_SIZE + 15,
          cached_bytes: 5 * LARGE_SIZE + 15,
          error: null,
        })
      expect(await statusOf("warmed", "folder/large.bin")).toBe("cached")
      expect((await get("warmed/files")).json.data[0].cache_status).toBeNull()
    },
  )

  it("fetches a file once for many concurrent downloads, and serves it without the backend afterwards", async () => {
    await create("shared", hub())
    const before = remote.hub.requests.length
    const answers = await Promise.all(Array.from({ length: 16 }, () => get("shared/-/large-1")))
    expect(new Set(answers.map(({ status, bytes }) => `${status} ${bytes.byteLength}`))).toEqual(
      new Set([`200 ${LARGE_SIZE}`]),
    )
    expect(answers.every(({ bytes }) => bytes.equals(answers[0]?.bytes ?? Buffer.alloc(0)))).toBe(true)
    const reads = remote.hub.requests.slice(before).filter(({ operation }) => operation === "resolve")
    expect(reads).toHaveLength(1)
    await expect.poll(() => statusOf("shared", "large-1")).toBe("cached")

    remote.hub.faults.add({ fault: { kind: "hang-up" } })
    const whole = await get("shared/-/large-1")
    expect([whole.status, whole.bytes.equals(answers[0]?.bytes ?? Buffer.alloc(0))]).toEqual([200, true])
    expect(whole.headers.etag).toBe(answers[0]?.headers.etag)
    const part = await get("shared/-/large-1", { range: "bytes=-5" })
    expect([part.status, part.bytes.equals(whole.bytes.subarray(-5))]).toEqual([206, true])
    expect(part.headers["content-range"]).toBe(`bytes ${LARGE_SIZE - 5}-${LARGE_SIZE - 1}/${LARGE_SIZE}`)
    expect((await get("shared/-/large-1", { range: `bytes=${LARGE_SIZE}-` })).status).toBe(416)
    expect((await as("viewer", "HEAD", `${BASE}/shared/-/large-1`)).headers["content-length"]).toBe(String(LARGE_SIZE))
    expect((await get("shared/-/large-1", { "if-none-match": whole.headers.etag ?? "" })).status).toBe(304)
    expect((await get("shared/-/large-2")).status).toBe(502)
    remote.hub.faults.clear()
  })

  it("is filled and emptied only by editors", async () => {
    await create("by-hand", catalog())
    expect((await get("by-hand/cache")).json).toMatchObject({ status: "idle", files: null, error: null })
    for (const method of ["POST", "DELETE"]) {
      expect((await as("viewer", method, `${BASE}/by-hand/cache`)).status).toBe(403)
    }
    const asked = await as("editor", "POST", `${BASE}/by-hand/cache`)
    expect([asked.status, asked.json.status]).toEqual([202, "warming"])
    await expect.poll(async () => (await get("by-hand/cache")).json.status).toBe("done")
    const headers = { "content-type": "application/json" }
    const dropped = await as("editor", "DELETE", `${BASE}/by-hand/cache`, { headers })
    expect([dropped.status, dropped.json.status]).toEqual([200, "idle"])
    expect(await statusOf("by-hand", "a.txt")).toBe("not_cached")
    expect((await get("missing/cache")).status).toBe(404)
  })

  it("does not exist for local storage", async () => {
    await as("editor", "POST", BASE, { json: { name: "near", cache: true } })
    expect((await get("near/cache")).json.status).toBe("idle")
    const refused = await as("editor", "POST", `${BASE}/near/cache`)
    expect([refused.status, refused.json.code]).toEqual([405, "method_not_allowed"])
  })
})
