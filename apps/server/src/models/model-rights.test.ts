import type { Grant } from "@assay/schemas"
import { type FakeHub, startFakeHub, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { checkpointFiles } from "../testing/checkpoint-files.ts"
import { createTokens } from "../testing/create-tokens.ts"
import { ENTITIES, FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const TOKEN = "hf_opens-the-repository-of-the-test"
const MODELS = "/apis/models/v2/workspaces/default/models"
const GRANTS: Readonly<Record<string, readonly Grant[]>> = {
  root: [{ workspace: "*", role: "admin" }],
  /** May read the shared workspace, but not use its secrets. */
  beside: [
    { workspace: "default", role: "editor" },
    { workspace: "shared", role: "viewer" },
  ],
  outside: [{ workspace: "default", role: "editor" }],
  viewer: [{ workspace: "default", role: "viewer" }],
}

let server: TestServer
let hub: FakeHub
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  hub = await startFakeHub({
    repositories: [{ id: "team/private", private: true, files: checkpointFiles() }],
    tokens: { [TOKEN]: ["team/private"] },
  })
  server = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_ALLOWED_HOSTS: "127.0.0.1" })
  tokens = await createTokens(server, GRANTS)
  await as("root", "POST", ENTITIES, { name: "shared" })
  await as("root", "POST", `${SECRETS}/shared/secrets`, { name: "token", value: TOKEN })
  const storage = { type: "hub", repo_id: "team/private", endpoint: hub.url }
  for (const [workspace, token_secret] of [
    ["shared", "token"],
    ["default", "shared/token"],
  ] as const) {
    const json = { name: "weights", storage: { ...storage, token_secret } }
    expect((await as("root", "POST", `${FILES}/${workspace}/filesets`, json)).status).toBe(200)
  }
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await hub.close()
})

const as = (who: string, method: string, path: string, json?: unknown) =>
  server.call(method, path, { json, headers: { authorization: `Bearer ${tokens.get(who)}` } })

describe("a model of a fileset in another workspace", () => {
  it(
    "can be created only by callers who may read there; others get 404",
    verifies("auth.cross-workspace-filesets"),
    async () => {
      const body = { name: "remote", fileset: "shared/weights" }
      const hidden = await as("outside", "POST", MODELS, body)
      const missing = await as("outside", "POST", MODELS, { name: "remote", fileset: "nowhere/weights" })
      expect([hidden.status, hidden.json.code]).toEqual([404, "not_found"])
      expect(hidden.text.replace("shared", "nowhere")).toBe(missing.text)
      const made = await as("beside", "POST", MODELS, body)
      expect([made.status, made.json.analysis.status]).toEqual([201, "completed"])
      expect((await as("outside", "POST", `${MODELS}/remote/analyze`)).status).toBe(404)
      expect((await as("outside", "GET", `${MODELS}/remote`)).json.spec.family).toBe("qwen2")
    },
  )
})

describe("a model of a fileset with a secret of another workspace", () => {
  it("is analysed only for callers who may use the secret", verifies("auth.cross-workspace-secrets"), async () => {
    const { status, json } = await as("beside", "POST", MODELS, { name: "secretive", fileset: "weights" })
    expect([status, json.analysis.status, json.analysis.error.code]).toEqual([201, "failed", "secret_not_readable"])
    expect((await as("root", "POST", `${MODELS}/secretive/analyze`)).json.analysis.status).toBe("completed")
    expect(server.log()).not.toContain(TOKEN)
  })
})

describe("models", () => {
  it(
    "can be read by viewers and written by editors",
    verifies("auth.viewer", "auth.editor", "auth.forbidden"),
    async () => {
      await as("root", "POST", MODELS, { name: "mine", fileset: "weights" })
      expect((await as("viewer", "GET", MODELS)).status).toBe(200)
      expect((await as("viewer", "GET", `${MODELS}/mine`)).status).toBe(200)
      for (const [method, path, body] of [
        ["POST", MODELS, { name: "m", fileset: "weights" }],
        ["PATCH", `${MODELS}/mine`, { project: "p" }],
        ["POST", `${MODELS}/mine/analyze`, undefined],
        ["DELETE", `${MODELS}/mine`, undefined],
      ] as const) {
        expect((await as("viewer", method, path, body)).status).toBe(403)
      }
      expect((await as("outside", "PATCH", `${MODELS}/mine`, { project: "p" })).status).toBe(200)
      expect((await as("outside", "GET", MODELS.replace("default", "shared"))).status).toBe(404)
    },
  )
})
