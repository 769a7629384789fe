import type { Role } from "@assay/schemas"
import { readFile, stat } from "node:fs/promises"
import { createToken, listTokens, revokeToken } from "@assay/access"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTestToken, tokenContext } from "../testing/create-tokens.ts"
import { ENTITIES, FILES, SECRETS, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

let server: TestServer
let now = Date.now()
const context = () => tokenContext(server, () => now)
const make = async (workspace: string, role: Role, lifetimeMs?: number) =>
  createToken(context(), {
    name: role,
    grants: [{ workspace, role }],
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
  })

const tokens: Record<string, string> = {}
beforeAll(async () => {
  server = await startTestServer({ ASSAY_AUTH: "tokens" })
  for (const role of ["viewer", "editor", "admin"] as const) tokens[role] = (await make("default", role)).token
  tokens["root"] = (await make("*", "admin")).token
  await as("root", "POST", ENTITIES, { json: { name: "hidden" } })
  await as("root", "POST", `${FILES}/hidden/filesets`, { json: { name: "unseen" } })
  await as("root", "POST", `${FILES}/default/filesets`, { json: { name: "seen" } })
})
afterAll(() => server[Symbol.asyncDispose]())

const as = (who: string, method: string, path: string, options: Call = {}) =>
  server.call(method, path, {
    ...options,
    headers: { authorization: `Bearer ${tokens[who] ?? who}`, ...options.headers },
  })

describe("a server with tokens", () => {
  it("requires a bearer token and refuses a wrong one", verifies("auth.bearer"), async () => {
    const none = await server.call("GET", ENTITIES)
    expect([none.status, none.json.code, none.headers["www-authenticate"]]).toEqual([
      401,
      "unauthorized",
      'Bearer realm="assay"',
    ])
    expect((await as("assay_wrong", "GET", ENTITIES)).status).toBe(401)
    expect((await as("viewer", "GET", ENTITIES)).status).toBe(200)
  })

  it(
    "stores only hashes, in a file that only its owner can read",
    verifies(
      "auth.token-hashed",
      "auth.tokens-file",
      "auth.token-printed-once",
      "auth.token-create",
      "auth.token-list",
    ),
    async () => {
      const text = await readFile(context().file, "utf8")
      for (const token of Object.values(tokens)) expect(text).not.toContain(token)
      expect(JSON.parse(text).tokens[0]).toMatchObject({
        id: expect.stringMatching(/^token-/),
        name: "viewer",
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        grants: [{ workspace: "default", role: "viewer" }],
        expires_at: null,
      })
      expect(((await stat(context().file)).mode & 0o777).toString(8)).toBe("600")
      expect(JSON.stringify(await listTokens(context()))).not.toContain("sha256")
    },
  )

  it(
    "accepts a new token at once, and refuses a revoked or expired one",
    verifies("auth.changes-at-once", "auth.token-revoke", "auth.token-expires"),
    async () => {
      const { token, record } = await make("default", "viewer", 60_000)
      expect((await as(token, "GET", ENTITIES)).status).toBe(200)
      await revokeToken(context(), record.id)
      expect((await as(token, "GET", ENTITIES)).status).toBe(401)
      now -= 120_000
      const { token: old } = await make("default", "viewer", 60_000)
      now += 120_000
      expect((await as(old, "GET", ENTITIES)).status).toBe(401)
      await expect(revokeToken(context(), record.id)).rejects.toMatchObject({ code: "not_found" })
    },
  )

  it(
    "makes an address wait after ten failures within a minute, but accepts its valid tokens",
    verifies("auth.rate-limit", "errors.retry-after"),
    async () => {
      await using limited = await startTestServer({ ASSAY_AUTH: "tokens" })
      const attempt = () => limited.call("GET", ENTITIES, { headers: { authorization: "Bearer wrong" } })
      for (let count = 0; count < 10; count += 1) expect((await attempt()).status).toBe(401)
      const refused = await attempt()
      expect([refused.status, refused.json.code]).toEqual([429, "too_many_requests"])
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
      const { token } = await createTestToken(limited, "valid", { workspace: "default", role: "viewer" })
      const valid = await limited.call("GET", ENTITIES, { headers: { authorization: `Bearer ${token}` } })
      expect(valid.status).toBe(200)
      expect((await limited.call("GET", ENTITIES)).status).toBe(401)
      expect((await attempt()).status).toBe(429)
    },
  )
})

describe("the rights of a token", () => {
  const file = `${FILES}/default/filesets/seen/-/a.txt`

  it("let a viewer read, but not write", verifies("auth.viewer", "auth.forbidden"), async () => {
    expect((await as("viewer", "GET", `${FILES}/default/filesets/seen`)).status).toBe(200)
    expect((await as("viewer", "GET", `${SECRETS}/default/secrets`)).status).toBe(200)
    const answers = await Promise.all([
      as("viewer", "PUT", file, { body: "x" }),
      as("viewer", "POST", `${FILES}/default/filesets`, { json: { name: "new" } }),
      as("viewer", "PATCH", `${FILES}/default/filesets/seen`, { json: {} }),
      as("viewer", "DELETE", `${FILES}/default/filesets/seen`),
      as("viewer", "POST", `${FILES}/default/filesets/seen/uploads`),
      as("viewer", "POST", `${SECRETS}/default/secrets`, { json: { name: "a", value: "b" } }),
    ])
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual(answers.map(() => [403, "forbidden"]))
  })

  it("let an editor write records and files, but not manage secrets", verifies("auth.editor"), async () => {
    expect((await as("editor", "PUT", file, { body: "x" })).status).toBe(200)
    expect((await as("editor", "POST", `${SECRETS}/default/secrets`, { json: { name: "a", value: "b" } })).status).toBe(
      403,
    )
    expect((await as("editor", "PUT", `${ENTITIES}/default`, { json: { description: "x" } })).status).toBe(403)
  })

  it("let an admin manage its workspace and secrets, but not the whole server", verifies("auth.admin"), async () => {
    expect((await as("admin", "POST", `${SECRETS}/default/secrets`, { json: { name: "a", value: "b" } })).status).toBe(
      201,
    )
    expect((await as("admin", "PUT", `${ENTITIES}/default`, { json: { description: "x" } })).status).toBe(200)
    expect((await as("admin", "POST", ENTITIES, { json: { name: "more" } })).status).toBe(403)
    expect((await as("admin", "POST", "/apis/secrets/v2/rotate-encryption-keys")).status).toBe(403)
  })

  it("hide everything that the caller may not see", verifies("auth.hidden", "auth.listing"), async () => {
    const hidden = await as("admin", "GET", `${FILES}/hidden/filesets/unseen`)
    expect([hidden.status, hidden.json.detail]).toEqual([404, "Workspace 'hidden' not found"])
    expect((await as("admin", "GET", `${FILES}/hidden/filesets`)).status).toBe(404)
    const names = async (who: string, path: string) =>
      (await as(who, "GET", path)).json.data.map(({ name }: { name: string }) => name)
    expect(await names("admin", `${FILES}/-/filesets`)).toEqual(["seen"])
    expect(await names("root", `${FILES}/-/filesets?sort=name`)).toEqual(["seen", "unseen"])
    expect(await names("admin", ENTITIES)).toEqual(["default"])
  })

  it(
    "leave health public, and show metrics to viewers of all workspaces",
    verifies("auth.health-open", "auth.metrics"),
    async () => {
      expect((await server.call("GET", "/health/live")).status).toBe(200)
      expect((await server.call("GET", "/health/ready")).status).toBe(200)
      expect((await as("admin", "GET", "/metrics")).status).toBe(403)
      expect((await as("root", "GET", "/metrics")).status).toBe(200)
    },
  )

  it(
    "are logged with the id of the token for every write, but without the token",
    verifies("auth.writes-logged"),
    async () => {
      const [record] = await listTokens(context())
      expect(record?.name).toBe("viewer")
      const editor = (await listTokens(context())).find(({ name }) => name === "editor")
      await as("editor", "PUT", file, { body: "logged" })
      const line = server
        .log()
        .split("\n")
        .find((text) => text.includes('"method":"PUT"') && text.includes(editor?.id ?? "none"))
      expect(JSON.parse(line ?? "{}")).toMatchObject({ url: file, status: 200, token: editor?.id })
      for (const token of Object.values(tokens)) expect(server.log()).not.toContain(token)
    },
  )
})
