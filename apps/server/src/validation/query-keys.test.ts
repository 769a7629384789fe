import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ENTITIES, FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const FILESETS = `${FILES}/default/filesets`
const HUB = "/apis/files/v2/hf"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.call("POST", FILESETS, { json: { name: "asked" } })
})
afterAll(() => server[Symbol.asyncDispose]())

describe("an unknown query parameter", () => {
  it.each([
    [`${FILESETS}?page_sise=5`, "page_sise", "did you mean 'page_size'?"],
    [`${ENTITIES}?colour=red`, "colour", "this operation takes page, page_size"],
    ["/v1/evaluation/jobs?stauts=failed", "stauts", "this operation takes page, page_size, sort, filter, search"],
    ["/v1/evaluation/jobs?filters[status]=failed", "filters[status]", "Unknown query parameter"],
    ["/apis/entities/v2/workspaces/default?verbose=1", "verbose", "this operation takes no query parameters"],
    ["/health/live?x=1", "x", "this operation takes no query parameters"],
    ["/v1/guardrail/configs?constructor=1", "constructor", "Unknown query parameter"],
  ])("is refused by name, with a suggestion: %s", verifies("requests.unknown-query"), async (path, key, words) => {
    const { status, json } = await server.call("GET", path)
    expect(status).toBe(422)
    expect(json.detail).toHaveLength(1)
    expect(json.detail[0]).toMatchObject({ loc: ["query", key], type: "extra_forbidden" })
    expect(json.detail[0].msg).toContain(words)
  })

  it("is refused before a write", verifies("requests.unknown-query"), async () => {
    const { status } = await server.call("POST", `${FILESETS}?exist_ok=true`, { json: { name: "never" } })
    expect(status).toBe(422)
    expect((await server.call("GET", `${FILESETS}/never`)).status).toBe(404)
  })

  it("is one of at most twenty that a response names", verifies("requests.unknown-query"), async () => {
    const many = Array.from({ length: 1000 }, (_, n) => `k${n}=1`).join("&")
    const { status, json } = await server.call("GET", `${ENTITIES}?${many}`)
    expect([status, json.detail.length]).toEqual([422, 20])
  })

  it.each([
    `${FILESETS}?filter[name][$like]=ask&filter[purpose]=generic&page=1`,
    `${FILESETS}?filter=${encodeURIComponent('{"name":"asked"}')}`,
    "/v1/evaluation/jobs?filter[status]=failed&search[config]=x&sort=created_at",
  ])(
    "is not reported for a parameter that the operation reads: %s",
    verifies("requests.unknown-query"),
    async (path) => {
      expect((await server.call("GET", path)).status).toBe(200)
    },
  )

  it(
    "is ignored by the hub endpoint, whose clients send unused parameters",
    verifies("requests.unknown-query"),
    async () => {
      expect((await server.call("GET", `${HUB}/api/models/default/asked?blobs=true&securityStatus=true`)).status).toBe(
        200,
      )
      expect((await server.call("GET", `${HUB}/api/models/default/asked/refs?include_prs=1`)).status).toBe(200)
    },
  )
})

describe("a body for an operation that takes none", () => {
  it.each([
    [`${FILESETS}/asked/infer-schema`, { path: "a.jsonl", rows: -1 }, "path", "it takes path, rows in the query"],
    [`${FILESETS}/asked/validate`, { max_issues: 1 }, "max_issues", "it takes path, max_issues in the query"],
    [`${FILESETS}/asked/cache`, { force: true }, "force", "this operation takes no body"],
    ["/v1/evaluation/jobs/eval-none/cancel", { reason: "late" }, "reason", "this operation takes no body"],
    ["/v1/evaluation/jobs/eval-none/resume", { gates: [] }, "gates", "this operation takes no body"],
  ])("is refused by name: %s %j", verifies("requests.unknown-query"), async (path, json, key, words) => {
    const answer = await server.call("POST", path, { json })
    expect([answer.status, answer.json.detail]).toEqual([
      422,
      [{ loc: ["body", key], type: "extra_forbidden", msg: expect.stringContaining(words) }],
    ])
  })

  it("can be an empty object", async () => {
    expect((await server.call("POST", `${FILESETS}/asked/validate`, { json: {} })).status).toBe(200)
  })
})
