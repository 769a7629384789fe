import { type FakeInference, type FakeObjstore, startFakeInference, startFakeObjstore, verifies } from "@assay/testkit"
import { afterEach, beforeEach, expect, it } from "vitest"
import { JOBS, launchQuestions, untilJob } from "../../testing/evaluation-launch.ts"
import { FILES, SECRETS, startTestServer, type TestServer } from "../../testing/start-test-server.ts"

const ROWS = 5

let fake: FakeInference
let store: FakeObjstore
let server: TestServer
beforeEach(async () => {
  ;[fake, store] = await Promise.all([startFakeInference(), startFakeObjstore()])
  server = await startTestServer({
    ASSAY_DEFAULT_STORAGE: JSON.stringify({
      type: "s3",
      bucket: store.bucket,
      region: store.region,
      endpoint_url: store.endpoint,
      access_key_id_secret: "id",
      secret_access_key_secret: "key",
    }),
  })
  for (const [name, value] of [
    ["id", store.accessKeyId],
    ["key", store.secretAccessKey],
  ])
    await server.call("POST", `${SECRETS}/system/secrets`, { json: { name, value } })
})
afterEach(async () => {
  await server[Symbol.asyncDispose]()
  await Promise.all([fake.close(), store.close()])
})

/** More refusals than the attempts of one request. */
const REFUSALS = 6

it("A job waits while the store refuses its dataset because of too many requests", async () => {
  store.faults.add({
    when: ({ method, key }) => (method === "GET" || method === "HEAD") && key.endsWith("rows.jsonl"),
    // The upload asks with HEAD what it replaces, and goes on without an answer. In the job, the reason is in the response to GET alone,
    // which follows the attempts of HEAD.
    times: 3 * REFUSALS,
    fault: { kind: "refuse", status: 503, retryAfter: 0 },
  })
  const id = await launchQuestions(server.url, { fake, count: ROWS })
  expect(await untilJob(server.url, id, ["COMPLETED", "FAILED"])).toMatchObject({ status: "COMPLETED" })
  const { text } = await server.call("GET", `${JOBS}/${id}/logs?format=text`)
  expect(text).toMatch(/The job waits for up to 10 minutes: .*questions.*503/)
})

it(
  "A job waits while the store refuses its results, and says so in its log",
  verifies("results.one-step"),
  async () => {
    const fault = { kind: "refuse", status: 503, retryAfter: 0 } as const
    store.faults.add({
      when: ({ method, key }) => method === "PUT" && key.includes("results/"),
      times: REFUSALS,
      fault,
    })
    const id = await launchQuestions(server.url, { fake, count: ROWS })
    expect(await untilJob(server.url, id, ["COMPLETED", "FAILED"])).toMatchObject({ status: "COMPLETED" })
    const { json } = await server.call("GET", `${FILES}/default/filesets/evaluation-${id}/files`)
    expect(json.data.length).toBeGreaterThan(5)
    const { text } = await server.call("GET", `${JOBS}/${id}/logs?format=text`)
    expect(text).toMatch(/The job waits for up to 10 minutes: .*503/)
    expect(text).toMatch(/The job continues after an outage of \d+\.\d s/)
  },
)
