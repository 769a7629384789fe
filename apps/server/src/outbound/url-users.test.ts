import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { startLoopbackServer, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { loadSettings } from "../settings/load-settings.ts"
import { CHECK, EVALUATION, GIVEN, modelTarget } from "../testing/evaluation-bodies.ts"
import { GUARDRAILS, says, startJudge, type TestJudge } from "../testing/start-judge.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const SECRET = "hunter2"
const URL_WITH_USER = `http://me:${SECRET}@127.0.0.1:9`

let server: TestServer
let judge: TestJudge
beforeAll(async () => {
  server = await startTestServer({ ASSAY_ALLOWED_HOSTS: "127.0.0.1" })
  judge = await startJudge()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await judge.fake.close()
})

const filesets = `${FILES}/default/filesets`
const configs = `${GUARDRAILS}/default/configs`
const withModel = (more: object) => ({
  ...judge.data,
  models: judge.data.models.map((model) => ({ ...model, ...more })),
})
const metric = (type: string, params: object) => ({
  ...CHECK,
  tasks: { qa: { type: "data", metrics: { m: { type, params } } } },
})
const remoteMetric = metric("remote", { url: URL_WITH_USER, scores: { a: "a" } })
const judged = metric("llm-judge", { model: { api_endpoint: { url: URL_WITH_USER, model_id: "m" } } })
const skipping = `${EVALUATION}/jobs?skip_validation_checks=True`

describe("a URL with a user name or a password", () => {
  it.each<readonly [string, string, () => unknown]>([
    [
      "objstore endpoint_url",
      filesets,
      () => remoteFileset({ type: "objstore", bucket: "b", endpoint_url: URL_WITH_USER }),
    ],
    [
      "objstore without a password",
      filesets,
      () => remoteFileset({ type: "objstore", bucket: "b", endpoint_url: `http://${SECRET}@127.0.0.1:9` }),
    ],
    ["hub endpoint", filesets, () => remoteFileset({ type: "hub", repo_id: "a/b", endpoint: URL_WITH_USER })],
    [
      "catalog host",
      filesets,
      () =>
        remoteFileset({ type: "catalog", org: "o", team: "", target: "t", api_key_secret: "k", host: URL_WITH_USER }),
    ],
    ["unknown storage field", filesets, () => remoteFileset({ type: "hub", repo_id: "a/b", adress: URL_WITH_USER })],
    ["guardrail url", configs, () => ({ name: "g", data: withModel({ url: URL_WITH_USER }) })],
    [
      "guardrail base_url",
      configs,
      () => ({ name: "g", data: withModel({ parameters: { base_url: URL_WITH_USER } }) }),
    ],
    [
      "guardrail of a check",
      `${GUARDRAILS}/default/checks`,
      () => ({ messages: says("Hi"), guardrails: { config: withModel({ url: URL_WITH_USER }) } }),
    ],
    ["target", `${EVALUATION}/targets`, () => ({ ...modelTarget(URL_WITH_USER), name: "t" })],
    ["target of a job", skipping, () => ({ target: modelTarget(URL_WITH_USER), config: CHECK })],
    ["judge of a job", skipping, () => ({ target: GIVEN, config: judged })],
    ["remote metric of a job", skipping, () => ({ target: GIVEN, config: remoteMetric })],
    ["remote metric of a live evaluation", `${EVALUATION}/live`, () => ({ target: GIVEN, config: remoteMetric })],
    [
      "dataset of a job",
      skipping,
      () => ({ target: { type: "dataset", dataset: { files_url: `hf://me:${SECRET}@datasets/a/b` } }, config: CHECK }),
    ],
    [
      "hf_endpoint",
      `${EVALUATION}/configs`,
      () => ({
        ...CHECK,
        tasks: { qa: { type: "data", dataset: { files_url: "hf://datasets/a/b", hf_endpoint: URL_WITH_USER } } },
      }),
    ],
    [
      "harness",
      `${EVALUATION}/configs`,
      () => ({ type: "benchmark", harness: { command: ["x"], environment: { OPENAI_BASE_URL: URL_WITH_USER } } }),
    ],
    [
      "output_files_url",
      skipping,
      () => ({ target: GIVEN, config: CHECK, output_files_url: `assay://me:${SECRET}@datasets/a/b` }),
    ],
  ])(
    "is refused in %s, and neither the response nor the log contains it",
    verifies("urls.no-user"),
    async (_, path, json) => {
      const { status, text } = await server.call("POST", path, { json: json() })
      expect(status, text).toBe(422)
      expect(text).not.toContain(SECRET)
      expect(server.log()).not.toContain(SECRET)
    },
  )

  it("is refused when a stored target is changed to it", verifies("urls.no-user"), async () => {
    await server.call("POST", `${EVALUATION}/targets`, {
      json: { ...modelTarget("http://127.0.0.1:9"), name: "changed" },
    })
    const json = { model: { api_endpoint: { url: URL_WITH_USER, model_id: "m" } } }
    const { status, text } = await server.call("PATCH", `${EVALUATION}/targets/default/changed`, { json })
    expect([status, text.includes(SECRET)]).toEqual([422, false])
  })

  it("that an older version stored is shown without them", verifies("urls.no-user"), async () => {
    await server.call("POST", `${EVALUATION}/targets`, { json: { ...modelTarget("http://127.0.0.1:9"), name: "old" } })
    await server.call("POST", configs, { json: { name: "old", data: withModel({ url: "http://127.0.0.1:9/v1" }) } })
    await server.call("POST", filesets, { json: { name: "old" } })
    const file = join(server.folder, "data", "registry.db")
    const database = new DatabaseSync(file)
    const storage = JSON.stringify({ type: "objstore", bucket: "b", endpoint_url: URL_WITH_USER })
    database
      .prepare("update filesets set owns_bytes = 0, storage_type = 'objstore', storage = ? where name = 'old'")
      .run(storage)
    const changed = database
      .prepare(`update documents set data = replace(data, 'http://127', 'http://me:${SECRET}@127') where name = 'old'`)
      .run()
    expect(changed.changes).toBe(2)
    database.close()
    const paths = [
      `${EVALUATION}/targets/default/old`,
      `${EVALUATION}/targets`,
      `${configs}/old`,
      configs,
      `${filesets}/old`,
      filesets,
    ]
    for (const path of paths) {
      const { status, text } = await server.call("GET", path)
      expect([status, text.includes("http://***@127"), text.includes(SECRET)], path).toEqual([200, true, false])
    }
    const read = await server.call("GET", `${filesets}/old/-/a.txt`)
    expect([read.status, read.text.includes(SECRET)]).toEqual([400, false])
  })

  it("is not followed in a redirect of a backend", verifies("urls.no-user"), async () => {
    const backend = await startLoopbackServer((_request, response) => {
      response.writeHead(302, { location: `${backend.url.replace("//", `//me:${SECRET}@`)}/elsewhere` }).end()
    })
    onTestFinished(() => backend.close())
    const storage = { type: "hub", repo_id: "a/b", endpoint: backend.url }
    const { status, text } = await server.call("POST", filesets, { json: { name: "led", storage } })
    expect([status, text.includes("user name or a password"), text.includes(SECRET)]).toEqual([502, true, false])
    expect(backend.requests.every(({ url }) => url !== "/elsewhere")).toBe(true)
  })

  it("is refused in the settings of the default storage and of allowed hosts", verifies("urls.no-user"), () => {
    const storage = JSON.stringify({ type: "objstore", bucket: "b", endpoint_url: URL_WITH_USER })
    for (const env of [{ ASSAY_DEFAULT_STORAGE: storage }, { ASSAY_ALLOWED_HOSTS: URL_WITH_USER }]) {
      const load = () => loadSettings({ env, cwd: server.folder })
      expect(load).toThrow(Object.keys(env)[0])
      expect(load).not.toThrow(SECRET)
    }
  })
})

function remoteFileset(storage: object) {
  return { name: "remote", storage }
}
