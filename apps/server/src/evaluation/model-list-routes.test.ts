import type { Grant } from "@assay/schemas"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { EVALUATION, modelTarget, askConfig } from "../testing/evaluation-bodies.ts"
import { FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const KEY = "sk-listed-1"
const GRANTS: Readonly<Record<string, readonly Grant[]>> = {
  root: [{ workspace: "*", role: "admin" }],
  editor: [{ workspace: "default", role: "editor" }],
  viewer: [{ workspace: "default", role: "viewer" }],
}

let server: TestServer
let fake: FakeInference
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  fake = await startFakeInference({ key: KEY })
  server = await startTestServer({
    ASSAY_AUTH: "tokens",
    ASSAY_ALLOWED_INFERENCE_HOSTS: `http://127.0.0.1:${new URL(fake.url).port}`,
  })
  tokens = await createTokens(server, GRANTS)
  await as("root", `${SECRETS}/default/secrets`, { name: "key", value: KEY })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

const as = (who: string, path: string, json: unknown) =>
  server.call("POST", path, { json, headers: { authorization: `Bearer ${tokens.get(who)}` } })
const list = (who: string, body: object) => as(who, `${EVALUATION}/models/default`, body)

it(
  "The models of an endpoint are listed with a secret of the workspace, by the rules for hosts and rights",
  verifies("eval.models"),
  async () => {
    const url = `${fake.url}/v1`
    const listed = await list("editor", { url, api_key_secret: "key" })
    expect([listed.status, listed.json.is_cut]).toEqual([200, false])
    expect(listed.json.data).toContainEqual({ id: "echo" })
    expect((await list("viewer", { url, api_key_secret: "key" })).status).toBe(403)
    const before = fake.requests.length
    const refused = [
      await list("editor", { url }),
      await list("editor", { url, api_key_secret: "none" }),
      await list("editor", { url: "http://127.0.0.2:9/v1" }),
      await list("editor", { url: "http://user:pass@127.0.0.1/v1" }),
      await list("editor", { url, api_key: KEY }),
    ]
    expect(refused.map(({ status, json }) => json.code ?? status)).toEqual([
      "inference_unauthorized",
      "secret_not_readable",
      "host_not_allowed",
      422,
      422,
    ])
    expect(JSON.stringify(refused.map(({ json }) => json))).not.toMatch(/pass@|sk-listed/)
    // Only the first one reached the endpoint.
    expect(fake.requests.length - before).toBeLessThanOrEqual(1)
  },
)

it("A plan finds what is wrong without asking the model or writing anything", verifies("eval.plan"), async () => {
  const headers = { authorization: `Bearer ${tokens.get("root")}` }
  await as("root", `${FILES}/default/filesets`, { name: "words", purpose: "dataset" })
  await server.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body: '{"word":"a"}\n', headers })
  const config = askConfig("assay://datasets/default/words/rows.jsonl")
  const plan = (target: object) => as("editor", `${EVALUATION}/jobs/check?plan=true`, { target, config })
  const before = fake.requests.length
  const found = await plan(modelTarget(fake.url, { api_key_secret: "key" }))
  expect(found.json).toMatchObject({ launchable: true, estimate: { rows: 1, requests: 1 } })
  const wrong = await plan(modelTarget(fake.url, { api_key_secret: "none" }))
  expect(wrong.json.failed_checks).toMatchObject([{ check: "endpoint", code: "secret_not_readable" }])
  const closed = await plan(modelTarget("http://127.0.0.2:9"))
  expect(closed.json.failed_checks).toMatchObject([{ code: "host_not_allowed" }])
  expect(fake.requests.length).toBe(before)
})
