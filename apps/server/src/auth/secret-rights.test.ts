import type { Grant } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { REMOTE_SECRETS, startRemoteBackends, type RemoteBackends } from "../testing/start-remote-backends.ts"
import { ENTITIES, FILES, SECRETS, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

const GRANTS: Readonly<Record<string, readonly Grant[]>> = {
  root: [{ workspace: "*", role: "admin" }],
  /** May use the secrets of the shared workspace. */
  inside: [
    { workspace: "default", role: "editor" },
    { workspace: "shared", role: "editor" },
  ],
  /** May see the shared workspace, but not use its secrets. */
  beside: [
    { workspace: "default", role: "editor" },
    { workspace: "shared", role: "viewer" },
  ],
  outside: [{ workspace: "default", role: "editor" }],
  viewer: [{ workspace: "default", role: "viewer" }],
}

let server: TestServer
let remote: RemoteBackends
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  remote = await startRemoteBackends()
  server = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_ALLOWED_HOSTS: "127.0.0.1" })
  tokens = await createTokens(server, GRANTS)
  await as("root", "POST", ENTITIES, { json: { name: "shared" } })
  for (const [workspace, name, value] of [
    ["default", "token", REMOTE_SECRETS["hub-token"]],
    ["shared", "token", REMOTE_SECRETS["hub-token"]],
    ["shared", "id", REMOTE_SECRETS["store-id"]],
    ["shared", "key", REMOTE_SECRETS["store-key"]],
  ] as const) {
    await as("root", "POST", `${SECRETS}/${workspace}/secrets`, { json: { name, value } })
  }
  await create("inside", "away", "shared/token")
  await create("inside", "near", "token")
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await remote[Symbol.asyncDispose]()
})

const as = (who: string, method: string, path: string, options: Call = {}) =>
  server.call(method, path, { ...options, headers: { authorization: `Bearer ${tokens.get(who)}`, ...options.headers } })
const create = (who: string, name: string, token_secret: string) =>
  as(who, "POST", `${FILES}/default/filesets`, {
    json: { name, storage: { type: "hub", repo_id: "team/private", endpoint: remote.hub.url, token_secret } },
  })

describe("a secret of another workspace", () => {
  it(
    "requires the role editor there to create a fileset with it",
    verifies("secret-ref.rights", "auth.cross-workspace-secrets", "auth.editor"),
    async () => {
      for (const who of ["outside", "beside"]) {
        const there = await create(who, "new", "shared/token")
        const missing = await create(who, "new", "shared/none")
        expect([there.status, there.json.code]).toEqual([400, "secret_not_readable"])
        expect(there.text.replace("token'", "none'")).toBe(missing.text)
      }
      expect((await create("inside", "new", "shared/token")).status).toBe(200)
    },
  )

  it(
    "requires the role editor there to read, list or write files of such a fileset",
    verifies("secret-ref.rights", "auth.cross-workspace-secrets"),
    async () => {
      const away = `${FILES}/default/filesets/away`
      for (const [method, path] of [
        ["GET", `${away}/files`],
        ["GET", `${away}/-/a.txt`],
        ["HEAD", `${away}/-/a.txt`],
      ] as const) {
        for (const who of ["outside", "beside", "viewer"]) expect((await as(who, method, path)).status).toBe(400)
        for (const who of ["inside", "root"]) expect((await as(who, method, path)).status).toBe(200)
      }
      expect((await as("outside", "GET", `${away}/-/a.txt`)).json.code).toBe("secret_not_readable")
      expect((await as("outside", "GET", away)).status).toBe(200)
    },
  )

  it(
    "requires the role editor there for every kind of upload to such a fileset",
    verifies("secret-ref.rights", "auth.cross-workspace-secrets"),
    async () => {
      const storage = {
        type: "objstore",
        bucket: remote.objstore.bucket,
        region: remote.objstore.region,
        endpoint_url: remote.objstore.endpoint,
        access_key_id_secret: "shared/id",
        secret_access_key_secret: "shared/key",
      }
      await as("inside", "POST", `${FILES}/default/filesets`, { json: { name: "store", storage } })
      const store = `${FILES}/default/filesets/store`
      const tus = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream" }
      const start = { ...tus, "upload-length": "5", "upload-metadata": "path Yg==" }
      for (const who of ["outside", "beside"]) {
        for (const answer of [
          await as(who, "PUT", `${store}/-/a`, { body: "hello" }),
          await as(who, "POST", `${store}/uploads`, { body: "hello", headers: start }),
          await as(who, "DELETE", `${store}/-/a.txt`),
        ]) {
          expect([answer.status, answer.json.code]).toEqual([400, "secret_not_readable"])
        }
      }
      const begun = await as("inside", "POST", `${store}/uploads`, { body: "he", headers: start })
      const rest = { body: "llo", headers: { ...tus, "upload-offset": "2" } }
      const location = begun.headers.location ?? ""
      expect((await as("outside", "PATCH", location, rest)).json.code).toBe("secret_not_readable")
      expect(remote.objstore.objects()).not.toContain("b")
      expect((await as("inside", "HEAD", location, { headers: tus })).headers["upload-offset"]).toBe("5")
      expect(remote.objstore.read("b").toString()).toBe("hello")
      expect((await as("inside", "PUT", `${store}/-/a`, { body: "hello" })).status).toBe(200)
      expect((await as("inside", "DELETE", `${store}/-/a`)).status).toBe(200)
    },
  )

  it("is not needed if the fileset names a secret of its own workspace", verifies("auth.viewer"), async () => {
    expect((await as("viewer", "GET", `${FILES}/default/filesets/near/-/a.txt`)).text).toBe("hello")
  })
})
