import { setTimeout as wait } from "node:timers/promises"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FILES, startTestServer, type Answer, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({}, undefined, { schemaLimits: { compileMs: 500, checkMs: 500 } })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Returns a schema whose definitions reference the next one twice, so a value is checked 2^40 times. `note` makes the schema unique. */
function doubling(note: string): Record<string, unknown> {
  const $defs: Record<string, object> = { a40: { title: note } }
  for (let index = 0; index < 40; index++) {
    const next = { $ref: `#/$defs/a${index + 1}` }
    $defs[`a${index}`] = { allOf: [next, next] }
  }
  return { $ref: "#/$defs/a0", $defs }
}

async function create(name: string, dataset: object) {
  return server.call("POST", BASE, { json: { name, metadata: { dataset } } })
}

/** Returns the response of `work`, and how often the server reported meanwhile that it is live. */
async function whileAlive(work: Promise<Answer>): Promise<{ readonly answer: Answer; readonly lives: number }> {
  let lives = 0
  for (;;) {
    const answer = await Promise.race([work, wait(20)])
    if (answer !== undefined) return { answer, lives }
    const { status } = await server.call("GET", "/health/live")
    expect(status).toBe(200)
    lives++
  }
}

describe("a schema that takes too long", () => {
  it(
    "ends each route that validates rows with an error code, and the server keeps running",
    verifies("contents.schemas.bounded"),
    async () => {
      const schema = doubling("checked")
      expect((await create("validated", { schema })).status).toBe(200)
      expect((await create("enforced", { schema, enforce: "reject" })).status).toBe(200)
      expect((await server.call("PUT", `${BASE}/validated/-/a.jsonl`, { body: "1\n" })).status).toBe(200)
      const { answer, lives } = await whileAlive(server.call("POST", `${BASE}/validated/validate`))
      expect(answer).toMatchObject({ status: 400, json: { code: "schema_too_costly" } })
      expect(lives).toBeGreaterThan(2)
      const page = await server.call("GET", `${BASE}/validated/rows?path=a.jsonl`)
      expect(page).toMatchObject({ status: 400, json: { code: "schema_too_costly" } })
      // The schema is remembered as too costly, so the other routes fail at once. A route that validated rows by itself would hang.
      const refused = await server.call("PUT", `${BASE}/enforced/-/a.jsonl`, { body: "1\n" })
      expect(refused).toMatchObject({ status: 400, json: { code: "schema_too_costly" } })
      expect((await server.call("GET", `${BASE}/enforced/-/a.jsonl`)).status).toBe(404)
      const json = {
        target: { type: "rows", rows: [{ output: "1" }] },
        config: {
          type: "custom",
          tasks: { qa: { type: "data", metrics: { m: { type: "json-schema", params: { schema } } } } },
        },
      }
      const live = await server.call("POST", "/v1/evaluation/live", { json })
      expect(live).toMatchObject({ status: 200, json: { status: "FAILED" } })
      expect(live.json.status_details.message).toContain("0.5 s of processor time")
    },
  )

  it(
    "makes the creation of its fileset fail if it takes too long to compile",
    verifies("contents.schemas.bounded"),
    async () => {
      const anyOf = Array.from({ length: 55_000 }, (_, index) => ({ minimum: index }))
      const { answer, lives } = await whileAlive(create("wide", { schema: { anyOf } }))
      expect(answer).toMatchObject({ status: 400, json: { code: "schema_too_costly" } })
      expect(lives).toBeGreaterThan(2)
    },
  )
})
