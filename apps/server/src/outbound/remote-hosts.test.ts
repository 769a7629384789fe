import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type FakeObjstore, startFakeObjstore, verifies } from "@assay/testkit"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const filesets = `${FILES}/default/filesets`

let store: FakeObjstore
let folder: string

beforeAll(async () => {
  store = await startFakeObjstore({ buckets: { files: { publicRead: true } } })
  store.write("a.txt", "inside")
})
afterAll(() => store.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-hosts-"))
})
afterEach(() => rm(folder, { recursive: true }))

const create = (server: TestServer, endpoint_url: string) =>
  server.call("POST", filesets, {
    json: { name: "remote", storage: { type: "objstore", bucket: "files", endpoint_url } },
  })

describe("hosts of remote filesets", () => {
  it(
    "are refused unless they are listed, by name and by the address of the connection",
    verifies("hosts.external", "hosts.private", "hosts.dialled", "settings.allowed-hosts"),
    async () => {
      await using server = await startTestServer({}, folder)
      const asked = store.requests.length
      const { port } = new URL(store.endpoint)
      for (const endpoint of [store.endpoint, `http://localhost:${port}`, `http://[::ffff:127.0.0.1]:${port}`]) {
        const { status, json } = await create(server, endpoint)
        expect([status, json.code], endpoint).toEqual([400, "host_not_allowed"])
        expect(json.detail).toContain("ASSAY_ALLOWED_HOSTS")
      }
      expect((await server.call("GET", filesets)).json.data).toEqual([])
      expect(store.requests).toHaveLength(asked)
    },
  )

  it("are refused by their address if only other networks are listed", verifies("hosts.dialled"), async () => {
    await using server = await startTestServer({ ASSAY_ALLOWED_HOSTS: "10.0.0.0/8" }, folder)
    const { status, json } = await create(server, `http://localhost:${new URL(store.endpoint).port}`)
    expect([status, json.code]).toEqual([400, "host_not_allowed"])
    expect(json.detail).toMatch(/to which 'localhost' leads, is private/)
  })

  it("get no more requests after they are removed from the list", verifies("hosts.external"), async () => {
    {
      await using server = await startTestServer({ ASSAY_ALLOWED_HOSTS: "127.0.0.1" }, folder)
      expect((await create(server, store.endpoint)).status).toBe(200)
      expect((await server.call("GET", `${filesets}/remote/-/a.txt`)).text).toBe("inside")
    }
    await using server = await startTestServer({ ASSAY_ALLOWED_HOSTS: "127.0.0.2" }, folder)
    const { status, json } = await server.call("GET", `${filesets}/remote/-/a.txt`)
    expect([status, json.code]).toEqual([400, "host_not_allowed"])
  })
})
