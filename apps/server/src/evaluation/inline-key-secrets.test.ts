import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { askConfig, endOf, EVALUATION, modelTarget } from "../testing/evaluation-bodies.ts"
import { FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const KEY = "sk-inline-1"
const JOBS = `${EVALUATION}/jobs`

let server: TestServer
let fake: FakeInference
beforeAll(async () => {
  fake = await startFakeInference({ key: KEY })
  server = await startTestServer()
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "words", purpose: "dataset" } })
  await server.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body: '{"word":"a"}\n' })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

const config = askConfig("assay://datasets/default/words/rows.jsonl")

async function secretNames(): Promise<string[]> {
  const { json } = await server.call("GET", `${SECRETS}/default/secrets`)
  return json.data.map(({ name }: { name: string }) => name)
}

async function launch(target: object): Promise<string> {
  const { status, json, text } = await server.call("POST", `${JOBS}?skip_validation_checks=1`, {
    json: { target, config },
  })
  expect([status, text]).toEqual([201, text])
  expect((await endOf(server, json.id)).status).toBe("COMPLETED")
  return json.id
}

it(
  "The inline key of a launch is removed with its job, and a job made from the answer about another one has its own copy",
  verifies("eval.inline-keys"),
  async () => {
    const first = await launch(modelTarget(fake.url, { api_key: KEY }))
    const [kept] = await secretNames()
    expect(kept).toMatch(/^eval-key-/)
    const shown = await server.call("GET", `${JOBS}/${first}`)
    const second = await launch(shown.json.target)
    expect(await secretNames()).toHaveLength(2)
    expect((await server.call("DELETE", `${JOBS}/${first}`)).status).toBe(204)
    const left = await secretNames()
    expect(left).toHaveLength(1)
    expect(left).not.toContain(kept)
    expect((await server.call("POST", `${JOBS}/${second}/retry-failed`)).status).toBe(200)
    expect((await endOf(server, second)).status).toBe("COMPLETED")
    await server.call("DELETE", `${JOBS}/${second}`)
    expect(await secretNames()).toEqual([])
  },
)

it("A launch that fails leaves no key behind", verifies("eval.inline-keys"), async () => {
  const body = { target: modelTarget(fake.url, { api_key: KEY }), config, description: "\u0000" }
  const { status } = await server.call("POST", `${JOBS}?skip_validation_checks=1`, { json: body })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(await secretNames()).toEqual([])
})

it("The key of a stored target stays when a job with it is deleted", verifies("eval.inline-keys"), async () => {
  const target = { ...modelTarget(fake.url, { api_key: KEY }), name: "keyed" }
  expect((await server.call("POST", `${EVALUATION}/targets`, { json: target })).status).toBe(201)
  const kept = await secretNames()
  const { json } = await server.call("POST", `${JOBS}?skip_validation_checks=1`, {
    json: { target: "default/keyed", config },
  })
  await endOf(server, json.id)
  await server.call("DELETE", `${JOBS}/${json.id}`)
  expect(await secretNames()).toEqual(kept)
  const refused = await server.call("DELETE", `${SECRETS}/default/secrets/${kept[0]}`)
  expect([refused.status, refused.json]).toEqual([
    409,
    {
      code: "in_use",
      detail: expect.stringContaining("is used by evaluation target 'default/keyed'; change"),
      used_by: [{ kind: "evaluation target", workspace: "default", name: "keyed" }],
    },
  ])
  expect((await server.call("DELETE", `${SECRETS}/default/secrets/${kept[0]}?force=true`)).status).toBe(204)
})
