import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startHub, type TestHub } from "../testing/start-hub.ts"
import { ENTITIES, FILES, type Call } from "../testing/start-test-server.ts"
import { HUB_PREFIX } from "./hub-address.ts"

let hub: TestHub
beforeAll(async () => {
  hub = await startHub()
  await as("editor", "POST", "/api/repos/create", { json: { name: "seen", type: "model" } })
  await hub.server.call("PUT", `${FILES}/default/filesets/seen/-/a`, { headers: bearer("editor"), body: "one" })
})
afterAll(() => hub[Symbol.asyncDispose]())

const bearer = (who: "viewer" | "editor") => ({ authorization: `Bearer ${hub.token(who)}` })
const call = (method: string, path: string, options?: Call) => hub.server.call(method, HUB_PREFIX + path, options)
const as = (who: "viewer" | "editor", method: string, path: string, options: Call = {}) =>
  call(method, path, { ...options, headers: { ...bearer(who), ...options.headers } })

const REPOSITORY = ["/default/seen/resolve/main/a", "/api/models/default/seen", "/default/none/resolve/main/a"]

describe("the hub on a server with tokens", () => {
  it("looks empty to clients without a token", verifies("hub.error-words"), async () => {
    for (const path of REPOSITORY) {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers, bytes } = await call(method, path)
        expect([status, headers["x-error-code"], headers["x-repo-commit"]]).toEqual([401, "RepoNotFound", undefined])
        expect(headers["x-error-message"]).toContain("needs a token")
        expect(bytes.length > 0).toBe(method === "GET")
      }
    }
    const batch = await call("POST", "/default/seen.git/info/lfs/objects/batch", { json: { objects: [] } })
    expect([batch.status, batch.headers["x-error-code"]]).toEqual([401, "RepoNotFound"])
  })

  it("has different errors for a wrong token and a missing repository", verifies("hub.whoami"), async () => {
    const headers = { authorization: "Bearer hf_wrong" }
    for (const path of ["/api/whoami-v2", ...REPOSITORY]) {
      const answer = await call("HEAD", path, { headers })
      expect([answer.status, answer.headers["x-error-code"]]).toEqual([401, undefined])
      expect(answer.headers["x-error-message"]).toBe("Invalid credentials in Authorization header")
    }
    expect((await call("GET", "/api/whoami-v2")).headers["x-error-code"]).toBeUndefined()
    expect((await as("viewer", "GET", "/api/whoami-v2")).json).toMatchObject({
      type: "user",
      name: hub.tokenId("viewer"),
      orgs: [{ name: "default", roleInOrg: "read" }],
      auth: { type: "access_token", accessToken: { role: "read" } },
    })
  })

  it("shows only workspaces that the token may see", async () => {
    expect((await as("viewer", "GET", "/default/seen/resolve/main/a")).text).toBe("one")
    expect((await as("viewer", "GET", "/api/models/default/seen")).json.private).toBe(true)
    for (const path of ["/default/none/resolve/main/a", "/system/seen/resolve/main/a", "/api/models/nowhere/seen"]) {
      const { status, headers } = await as("viewer", "HEAD", path)
      expect([status, headers["x-error-code"]]).toEqual([404, "RepoNotFound"])
    }
  })

  it("refuses writes with a read-only token", async () => {
    const writes: readonly (readonly [string, string, object])[] = [
      ["POST", "/api/models/default/seen/preupload/main", { files: [] }],
      ["POST", "/api/models/default/seen/commit/main", {}],
      ["POST", "/default/seen.git/info/lfs/objects/batch", { operation: "upload", objects: [] }],
      ["POST", "/default/seen.git/info/lfs/objects/verify", { oid: "x" }],
      ["POST", "/api/repos/create", { name: "more" }],
      ["DELETE", "/api/repos/delete", { name: "seen" }],
    ]
    for (const [method, path, json] of writes) {
      const answer = await as("viewer", method, path, { json })
      expect([path, answer.status, answer.json.code]).toEqual([path, 403, "forbidden"])
    }
    const elsewhere = await as("editor", "POST", "/api/repos/create", {
      json: { name: "more", organization: "system" },
    })
    expect([elsewhere.status, elsewhere.headers["x-error-code"]]).toEqual([404, "RepoNotFound"])
    expect((await hub.server.call("GET", ENTITIES, { headers: bearer("viewer") })).json.data).toHaveLength(1)
  })

  it("accepts objects by the key in their URL, which is never logged", async () => {
    const oid = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
    const json = { operation: "upload", transfers: ["basic", "multipart"], objects: [{ oid, size: 3 }] }
    const answer = await as("editor", "POST", "/default/seen.git/info/lfs/objects/batch", { json })
    const { href } = JSON.parse(answer.text).objects[0].actions.upload
    const path = href.slice(hub.server.url.length) as string
    expect((await hub.server.call("PUT", path.replace(/[^/]+$/, "object-1111"), { body: "foo" })).status).toBe(404)
    expect((await hub.server.call("PUT", path, { body: "foo" })).status).toBe(200)
    expect(hub.server.log()).not.toContain(path.split("/").at(-1))
    // The key allows nothing else: reading requires a token.
    expect((await hub.server.call("GET", path)).status).toBe(401)
    const download = await as("viewer", "POST", "/default/seen.git/info/lfs/objects/batch", {
      json: { ...json, operation: "download" },
    })
    const action = JSON.parse(download.text).objects[0].actions.download
    expect(action.header).toEqual(bearer("viewer"))
    expect((await hub.server.call("GET", action.href.slice(hub.server.url.length))).status).toBe(401)
    expect(
      (await hub.server.call("GET", action.href.slice(hub.server.url.length), { headers: action.header })).text,
    ).toBe("foo")
  })

  it.each([
    [{}, "http://127.0.0.1:8080"],
    [{ ASSAY_TRUST_PROXY: "10.0.0.0/8" }, "http://127.0.0.1:8080"],
    [{ ASSAY_TRUST_PROXY: "loopback" }, "https://assay.example.com"],
  ])(
    "with %o uses the URL %s for a request with headers of a proxy",
    verifies("hub.address", "auth.trust-proxy"),
    async (env, own) => {
      await using proxied = await startHub(env)
      const headers = {
        authorization: `Bearer ${proxied.token("editor")}`,
        host: "127.0.0.1:8080",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "assay.example.com",
      }
      const ask = (path: string, json: unknown) => proxied.server.call("POST", HUB_PREFIX + path, { json, headers })
      const created = await ask("/api/repos/create", { name: "seen", type: "model" })
      expect(JSON.parse(created.text).url).toBe(`${own}${HUB_PREFIX}/default/seen`)
      const objects = [{ oid: "0".repeat(64), size: 3 }]
      const batch = await ask("/default/seen.git/info/lfs/objects/batch", { operation: "upload", objects })
      const { href } = JSON.parse(batch.text).objects[0].actions.upload
      expect(href.startsWith(`${own}${HUB_PREFIX}/default/seen.git/`)).toBe(true)
    },
  )
})
