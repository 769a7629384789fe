import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { askConfig, endOf, EVALUATION, modelTarget } from "../testing/evaluation-bodies.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const JOBS = `${EVALUATION}/jobs`
const KEY = "sk-evaluated-1"
const WORDS = "assay://datasets/default/words/rows.jsonl"

let server: TestServer
let fake: FakeInference
beforeAll(async () => {
  fake = await startFakeInference({ key: KEY })
  server = await startTestServer()
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "words", purpose: "dataset" } })
  const body = ["one", "two", "three"].map((word) => `${JSON.stringify({ word })}\n`).join("")
  await server.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body })
})
beforeEach(() => fake.faults.clear())
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

const post = (path: string, json?: unknown) => server.call("POST", path, json === undefined ? {} : { json })
const launch = (json: object, query = "") => post(`${JOBS}${query}`, json)

it("A failed job resumes with the rows that have no answer", verifies("eval.resume"), async () => {
  const config = { ...askConfig(WORDS), params: { parallelism: 1, max_failed_share: 1 } }
  fake.faults.add({ times: 1, fault: { kind: "condition", condition: "unauthorized" } })
  const { json } = await launch(
    { target: modelTarget(fake.url, { api_key: KEY }), config },
    "?skip_validation_checks=1",
  )
  expect((await endOf(server, json.id)).status).toBe("FAILED")
  const before = fake.requests.length
  expect((await post(`${JOBS}/${json.id}/resume`)).json.status).toBe("PENDING")
  expect(await endOf(server, json.id)).toMatchObject({ status: "COMPLETED", status_details: { samples_processed: 3 } })
  expect(fake.requests.length - before).toBeGreaterThanOrEqual(2)
})

it(
  "A job that failed by max_failed_share resumes with its failed rows and the remaining ones",
  verifies("eval.resume"),
  async () => {
    const config = { ...askConfig(WORDS), params: { parallelism: 1, max_retries: 0, max_failed_share: 0 } }
    const target = modelTarget(fake.url, { api_key: KEY })
    fake.faults.add({ times: 1, fault: { kind: "empty" } })
    const { json } = await launch({ target, config }, "?skip_validation_checks=1")
    const failed = await endOf(server, json.id)
    expect(failed).toMatchObject({ status: "FAILED", status_details: { samples_failed: 1 } })
    expect(failed.status_details.samples_processed).toBeLessThan(3)
    expect((await post(`${JOBS}/${json.id}/resume`)).json.status).toBe("PENDING")
    expect(await endOf(server, json.id)).toMatchObject({
      status: "COMPLETED",
      status_details: { samples_processed: 3, samples_failed: 0 },
    })
  },
)

it(
  "A cancelled job resumes with its failed rows, and asks no answered row twice",
  verifies("eval.resume"),
  async () => {
    const config = { ...askConfig(WORDS), params: { parallelism: 1, max_retries: 0, max_failed_share: 1 } }
    // The first row fails, and the third one waits until the job is stopped.
    fake.faults.add({ times: 1, fault: { kind: "empty" } })
    fake.faults.add({ when: ({ chat }) => JSON.stringify(chat).includes("three"), fault: { kind: "hang" } })
    const before = fake.requests.length
    const { json } = await launch(
      { target: modelTarget(fake.url, { api_key: KEY }), config },
      "?skip_validation_checks=1",
    )
    await expect.poll(() => fake.requests.length - before).toBe(3)
    await post(`${JOBS}/${json.id}/cancel`)
    expect((await endOf(server, json.id)).status).toBe("CANCELLED")
    const early = await post(`${JOBS}/${json.id}/retry-failed`)
    expect([early.status, early.json.detail]).toEqual([409, expect.stringContaining("resume it first")])
    fake.faults.clear()
    expect((await post(`${JOBS}/${json.id}/resume`)).json.status).toBe("PENDING")
    expect(await endOf(server, json.id)).toMatchObject({
      status: "COMPLETED",
      status_details: { samples_processed: 3, samples_failed: 0 },
    })
    const asked = fake.requests.slice(before).map(({ chat }) => /one|two|three/.exec(JSON.stringify(chat))?.[0])
    expect(asked.toSorted((a = "", b = "") => a.localeCompare(b))).toEqual(["one", "one", "three", "three", "two"])
  },
)
