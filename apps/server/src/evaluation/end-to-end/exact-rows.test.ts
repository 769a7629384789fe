import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { EVALUATION } from "../../testing/evaluation-bodies.ts"
import { readZip } from "../../testing/read-zip.ts"
import { ENTITIES, startTestServer, type TestServer } from "../../testing/start-test-server.ts"

const ROW = '{"id":1234567890123456789,"near":1234567890123456788,"price":1.50,"output":1234567890123456789}'
const TARGET = `{"type":"rows","name":"exact","namespace":"default","rows":[${ROW}]}`
const CONFIG = JSON.stringify({
  type: "custom",
  tasks: {
    qa: {
      type: "data",
      metrics: {
        same: {
          type: "string-check",
          params: { check: ["{{ id }} {{ item.price }}", "equals", "1234567890123456789 1.50"] },
        },
        number: { type: "number-check", params: { check: ["{{ id }}", "equals", "{{ near }}"] } },
        answer: { type: "exact-match", params: { references: ["{{ item.id }}"] } },
      },
    },
  },
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.call("POST", ENTITIES, { json: { name: "default" } })
})
afterAll(() => server[Symbol.asyncDispose]())

const headers = { "content-type": "application/json", accept: "application/json" }
const post = (path: string, body: string) => server.call("POST", `${EVALUATION}/${path}`, { body, headers })
const get = (path: string) => server.call("GET", `${EVALUATION}/${path}`)

it(
  "Numbers of inline rows keep their text from the request to targets, jobs and results",
  verifies("contents.rows.numbers"),
  async () => {
    expect((await post("targets", TARGET)).text).toContain(`"rows":[${ROW}]`)
    expect((await get("targets/default/exact")).text).toContain(`"rows":[${ROW}]`)
    for (const target of ['"default/exact"', TARGET]) {
      const created = await post("jobs", `{"target":${target},"config":${CONFIG}}`)
      expect(created.status, created.text).toBe(201)
      const job = `jobs/${created.json.id}`
      await expect.poll(async () => (await get(job)).json.status).toBe("COMPLETED")
      expect((await get(job)).text).toContain(`"rows":[${ROW}]`)
      const archive = readZip((await get(`${job}/download-results`)).bytes)
      expect(archive["results/rows.jsonl"]).toContain(`"item":${ROW}`)
      const { tasks } = (await get(`${job}/results`)).json
      const means = Object.values(tasks.qa.metrics as Record<string, { scores: Record<string, { value: number }> }>)
      expect(means.map(({ scores }) => Object.values(scores)[0]?.value)).toEqual([1, 0, 1])
    }
  },
)

it("Numbers keep their text in the rows of a live evaluation", verifies("contents.rows.numbers"), async () => {
  const live = await post("live", `{"target":${TARGET},"config":${CONFIG}}`)
  expect(live.text).not.toContain("1234567890123456800")
  expect(live.json.status).toBe("COMPLETED")
})

it(
  "Inline rows with a number that can't be kept are refused with its location",
  verifies("contents.rows.numbers"),
  async () => {
    const refused = await post("targets", '{"type":"rows","rows":[{"a":1e400}]}')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain("The number 1e400 can't be kept, write it as text")
  },
)
