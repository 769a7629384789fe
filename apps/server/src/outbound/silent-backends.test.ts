import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  REMOTE_SECRETS,
  type RemoteBackends,
  remoteStorages,
  startRemoteBackends,
} from "../testing/start-remote-backends.ts"
import { FILES, SECRETS, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`
const HUB = "/apis/files/v2/hf"
/** Above the time limit of this server, and below the default. */
const SOON_MS = 20_000

const SETTINGS = { ASSAY_ALLOWED_HOSTS: "127.0.0.1" }

let folder: string
let server: TestServer
let remote: RemoteBackends
beforeAll(async () => {
  remote = await startRemoteBackends()
  folder = await mkdtemp(join(tmpdir(), "silent-backends-"))
  // Uses the default limit, because the clients of the backends are loaded by the first request.
  server = await startTestServer(SETTINGS, folder)
  for (const [name, value] of Object.entries(REMOTE_SECRETS)) {
    await server.call("POST", `${SECRETS}/default/secrets`, { json: { name, value } })
  }
  for (const [name, storage] of Object.entries(remoteStorages(remote))) {
    const { status, text } = await server.call("POST", BASE, { json: { name, storage } })
    if (status !== 200) throw new Error(`The fileset was not made: ${text}`)
  }
  await server[Symbol.asyncDispose]()
  server = await startTestServer(SETTINGS, folder, { backendDeadlineMs: 500 })
  for (const backend of [remote.hub, remote.catalog, remote.objstore]) backend.faults.add({ fault: { kind: "stall" } })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await remote[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

describe.each(["hub", "catalog", "objstore"] as const)("a route over a silent %s", (kind) => {
  const requests: readonly (readonly [what: string, method: string, path: string, call: Call])[] = [
    ["a listing", "GET", `${BASE}/${kind}/files`, {}],
    ["a file", "GET", `${BASE}/${kind}/-/a.txt`, {}],
    ["the head of a file", "HEAD", `${BASE}/${kind}/-/a.txt`, {}],
    ["a file of a hub client", "GET", `${HUB}/default/${kind}/resolve/main/a.txt`, {}],
    ["a page of rows", "GET", `${BASE}/${kind}/rows?path=a.jsonl`, {}],
  ]
  const writes: typeof requests = [
    ["an upload", "PUT", `${BASE}/${kind}/-/new.txt`, { body: "x" }],
    ["a removal", "DELETE", `${BASE}/${kind}/-/a.txt`, {}],
  ]

  it.concurrent.each([...requests, ...(kind === "objstore" ? writes : [])])(
    "returns 504 and a code for %s within the time limit, including retries",
    verifies("storage.external.deadline"),
    async (_, method, path, call) => {
      const begun = performance.now()
      const { status, json, headers } = await server.call(method, path, call)
      expect([status, json?.code ?? headers["x-error-code"]]).toEqual([
        504,
        method === "HEAD" ? undefined : "upstream_timeout",
      ])
      expect(performance.now() - begun).toBeLessThan(SOON_MS)
    },
  )

  it(
    "returns 504 and a code for the creation of a fileset, and creates none",
    verifies("storage.external.deadline"),
    async () => {
      const { [kind]: storage } = remoteStorages(remote)
      const { status, json } = await server.call("POST", BASE, { json: { name: `late-${kind}`, storage } })
      expect([status, json.code]).toEqual([504, "upstream_timeout"])
      expect((await server.call("GET", `${BASE}/late-${kind}`)).status).toBe(404)
    },
  )
})
