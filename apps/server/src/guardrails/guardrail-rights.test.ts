import type { Grant } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { GUARDRAILS, says, startJudge, type TestJudge } from "../testing/start-judge.ts"
import { ENTITIES, SECRETS, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

const GRANTS: Readonly<Record<string, readonly Grant[]>> = {
  root: [{ workspace: "*", role: "admin" }],
  admin: [{ workspace: "default", role: "admin" }],
  editor: [{ workspace: "default", role: "editor" }],
  viewer: [{ workspace: "default", role: "viewer" }],
  /** May see the shared workspace, but not use its secrets. */
  beside: [
    { workspace: "default", role: "admin" },
    { workspace: "shared", role: "viewer" },
  ],
  inside: [
    { workspace: "default", role: "editor" },
    { workspace: "shared", role: "editor" },
  ],
}
const DEFAULT = `${GUARDRAILS}/default`

let server: TestServer
let judge: TestJudge
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  judge = await startJudge("shared/key")
  server = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_ALLOWED_INFERENCE_HOSTS: "127.0.0.1" })
  tokens = await createTokens(server, GRANTS)
  await as("root", "POST", ENTITIES, { json: { name: "shared" } })
  await as("root", "POST", `${SECRETS}/shared/secrets`, { json: { name: "key", value: "k" } })
  await create("root", "default", "g")
  await create("root", "shared", "s")
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await judge.fake.close()
})

const as = (who: string, method: string, path: string, options: Call = {}) =>
  server.call(method, path, { ...options, headers: { authorization: `Bearer ${tokens.get(who)}` } })
const create = (who: string, workspace: string, name: string) =>
  as(who, "POST", `${GUARDRAILS}/${workspace}/configs`, { json: { name, data: judge.data } })
const check = (who: string, guardrails: unknown, path = `${DEFAULT}/checks`) =>
  as(who, "POST", path, { json: { messages: says("Hello"), guardrails } })

describe("rights to guardrails", () => {
  it(
    "let viewers read, editors check and chat, and admins write configurations",
    verifies("auth.viewer", "auth.editor", "auth.admin"),
    async () => {
      const own = { config: { models: [{ type: "main", model: "self-check", url: judge.fake.url }], rails: {} } }
      for (const [who, read, ask, write] of [
        ["viewer", 200, 403, 403],
        ["editor", 200, 200, 403],
        ["admin", 200, 200, 200],
      ] as const) {
        expect((await as(who, "GET", `${DEFAULT}/configs/g`)).status).toBe(read)
        expect((await as(who, "GET", "/v1/guardrail/configs/g")).status).toBe(read)
        expect((await check(who, own)).status).toBe(ask)
        expect((await check(who, own, `${DEFAULT}/chat/completions`)).status).toBe(ask)
        expect((await check(who, own, "/v1/guardrail/checks")).status).toBe(ask)
        expect((await as(who, "PATCH", `${DEFAULT}/configs/g`, { json: { description: who } })).status).toBe(write)
      }
      expect((await server.call("GET", `${DEFAULT}/configs`)).status).toBe(401)
    },
  )

  it(
    "let editors ask at the addresses for clients of OpenAI's API, and nobody without a token",
    verifies("auth.editor", "openai.address"),
    async () => {
      await create("root", "default", "default")
      const doors = [`${DEFAULT}/configs/g/openai/v1`, "/openai/v1"]
      const calls = [
        ["POST", "chat/completions", { messages: says("Hello") }],
        ["POST", "responses", { input: "Hello" }],
        ["POST", "completions", { prompt: "Hello" }],
        ["GET", "models", undefined],
        ["GET", "models/echo", undefined],
      ] as const
      for (const door of doors) {
        for (const [method, path, body] of calls) {
          const json = body === undefined ? {} : { json: { model: "echo", ...body } }
          const statuses = await Promise.all(
            ["viewer", "editor", "admin", "inside", "root"].map(
              async (who) => (await as(who, method, `${door}/${path}`, json)).status,
            ),
          )
          // Only some may use the secret of the other workspace, which the configuration names.
          expect([door, path, statuses]).toEqual([door, path, [403, 400, 400, 200, 200]])
          const nobody = await server.call(method, `${door}/${path}`, json)
          expect([nobody.status, nobody.json.error.code, nobody.headers["www-authenticate"]]).toEqual([
            401,
            "invalid_api_key",
            'Bearer realm="assay"',
          ])
          const elsewhere = await as("editor", method, `${door.replace("/default/", "/shared/")}/${path}`, json)
          expect([door, elsewhere.status]).toEqual([door, door === "/openai/v1" ? 400 : 404])
          expect(elsewhere.json.error).toMatchObject({ type: "invalid_request_error" })
        }
      }
    },
  )

  it(
    "to a secret of another workspace require the role there, to write and to use a configuration",
    verifies("auth.cross-workspace-secrets", "secret-ref.rights"),
    async () => {
      const before = judge.fake.requests.length
      const written = await create("beside", "default", "mine")
      expect([written.status, written.json.code]).toEqual([400, "secret_not_readable"])
      for (const guardrails of [{ config_id: "g" }, { config_id: "shared/s" }, { config: judge.data }]) {
        expect((await check("beside", guardrails)).json.code).toBe("secret_not_readable")
        expect((await check("inside", guardrails)).json.status).toBe("success")
      }
      const used = judge.fake.requests.slice(before).map(({ headers }) => headers.authorization)
      expect(used).toEqual(["Bearer k", "Bearer k", "Bearer k"])
    },
  )

  it("to a configuration of another workspace require a role there, unless it is built in", async () => {
    expect((await check("editor", { config_id: "shared/s" })).json.detail).toBe("Workspace 'shared' not found")
    const models = [{ type: "main", model: "self-check", url: judge.fake.url }]
    expect((await check("editor", { config_id: "system/self-check", models })).status).toBe(200)
    expect((await check("editor", { config_id: "system/none", models })).json.detail).toBe(
      "Workspace 'system' not found",
    )
  })
})
