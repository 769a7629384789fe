import { createHash } from "node:crypto"
import { verifies } from "@assay/testkit"
import { downloadFile, listFiles, uploadFiles } from "@huggingface/hub"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import {
  REMOTE_SECRETS,
  type RemoteBackends,
  LARGE_SIZE,
  remoteStorages,
  startRemoteBackends,
} from "../testing/start-remote-backends.ts"
import { FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"
import { HUB_PREFIX } from "./hub-address.ts"

const LARGE = Buffer.alloc(LARGE_SIZE, "large ")

let remote: RemoteBackends
let server: TestServer
beforeAll(async () => {
  remote = await startRemoteBackends()
  server = await startTestServer({ ASSAY_ALLOWED_HOSTS: "127.0.0.1" })
  for (const [name, value] of Object.entries(REMOTE_SECRETS)) {
    await server.call("POST", `${SECRETS}/default/secrets`, { json: { name, value } })
  }
  const { hub, catalog, objstore } = remoteStorages(remote)
  const storages = { hub, catalog, objstore: { ...objstore, prefix: "data" } }
  for (const [name, storage] of Object.entries(storages)) {
    await server.call("POST", `${FILES}/default/filesets`, { json: { name, storage } })
  }
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await remote[Symbol.asyncDispose]()
})

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
const params = (name: string) => ({
  repo: `default/${name}`,
  hubUrl: server.url + HUB_PREFIX,
  accessToken: "hf_unused",
})
const bytesOf = async (blob: Blob | null) => Buffer.from(await (blob ?? new Blob([])).arrayBuffer())

describe("filesets on remote storage, for clients of the hub", () => {
  it.each(["hub", "catalog", "objstore"])(
    "are read like any other: %s",
    verifies("hub.any-backend", "hub.etag"),
    async (name) => {
      // Digests that take longer than a few seconds are a 503 first.
      const list = () => Array.fromAsync(listFiles({ ...params(name), recursive: true }))
      const files = await vi.waitFor(list, { timeout: 30_000, interval: 500 })
      expect(files.map(({ path }) => path)).toContain("folder")
      expect(files.find(({ path }) => path === "a.txt")?.lfs?.oid).toBe(sha256(Buffer.from("hello")))
      expect(files.find(({ path }) => path === "folder/large.bin")?.lfs?.oid).toBe(sha256(LARGE))
      const blob = await downloadFile({ ...params(name), path: "folder/large.bin" })
      expect(sha256(await bytesOf(blob))).toBe(sha256(LARGE))
      expect((await bytesOf(blob?.slice(6, 12) ?? null)).toString()).toBe("large ")
      const head = () => server.call("HEAD", `${HUB_PREFIX}/default/${name}/resolve/main/a.txt`)
      const { headers } = await head()
      expect(headers).toMatchObject({ etag: `"${sha256(Buffer.from("hello"))}"`, "content-length": "5" })
      expect((await head()).headers["x-repo-commit"]).toBe(headers["x-repo-commit"])
    },
  )

  it.each(["hub", "catalog"])("can't be written on read-only backends: %s", async (name) => {
    const files = [{ path: "a", content: new Blob(["a"]) }]
    await expect(uploadFiles({ ...params(name), files })).rejects.toMatchObject({
      statusCode: 405,
      message: expect.stringContaining("read-only"),
    })
  })

  it(
    "can be written on an object store, without fetching files for their digests",
    verifies("hub.any-backend"),
    async () => {
      const bytes = Buffer.concat([Buffer.from([0]), LARGE])
      const files = [
        { path: "new/text.txt", content: new Blob(["text"]) },
        { path: "new/bytes.bin", content: new Blob([bytes]) },
      ]
      await uploadFiles({ ...params("objstore"), files })
      expect(remote.objstore.read("data/new/bytes.bin").equals(bytes)).toBe(true)
      const before = remote.objstore.requests.length
      const listed = await Array.fromAsync(listFiles({ ...params("objstore"), path: "new" }))
      expect(listed.map(({ path, lfs }) => [path, lfs?.oid])).toEqual([
        ["new/bytes.bin", sha256(bytes)],
        ["new/text.txt", sha256(Buffer.from("text"))],
      ])
      const asked = remote.objstore.requests.slice(before).map(({ operation }) => operation)
      expect(asked.filter((operation) => !operation.startsWith("ListObjects"))).toEqual([])
    },
  )
})
