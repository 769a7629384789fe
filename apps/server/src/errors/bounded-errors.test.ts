import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { HUB_PREFIX } from "../hub/hub-address.ts"
import { GIVEN } from "../testing/evaluation-bodies.ts"
import { ENTITIES, FILES, SECRETS, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

const LONG = "x".repeat(20_000)

/** A configuration with a metric that reads a field which no row has. */
const checkOf = (field: string) => ({
  type: "custom",
  tasks: {
    qa: {
      type: "data",
      metrics: { a: { type: "string-check", params: { check: [`{{ item.${field} }}`, "equals", "yes"] } } },
    },
  },
})

describe("the error response to hostile input", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    await server.call("POST", `${FILES}/default/filesets`, { json: { name: "a" } })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const filesets = `${FILES}/default/filesets`
  // Shorter than 4,000 characters, above which the error itself shortens its message.
  const SHORT = "y".repeat(3500)
  const encoded = encodeURIComponent(`{"name":{"$gt":["${SHORT}"]}}`)
  const requests: readonly (readonly [what: string, method: string, path: string, call?: Call])[] = [
    ["a name", "POST", filesets, { json: { name: LONG } }],
    ["a value of another type", "POST", filesets, { json: { name: { [LONG]: [LONG, LONG] } } }],
    ["an unknown field", "POST", filesets, { json: { name: "b", [LONG]: LONG } }],
    ["a storage type", "POST", filesets, { json: { name: "b", storage: { type: LONG } } }],
    ["a project", "POST", filesets, { json: { name: "b", project: { a: LONG } } }],
    ["a workspace", "POST", ENTITIES, { json: { name: LONG } }],
    ["a missing workspace in the path", "GET", `${FILES}/${SHORT}/filesets`],
    ["a missing fileset", "GET", `${filesets}/${SHORT}`],
    ["a missing file", "GET", `${filesets}/a/-/${"z/".repeat(500)}z`],
    ["a path that is too long", "PUT", `${filesets}/a/-/${SHORT}`, { body: "x" }],
    ["a route that is not there", "GET", `/${SHORT}`],
    ["a page number", "GET", `${filesets}?page=${SHORT}`],
    ["a filter field", "GET", `${filesets}?filter[${SHORT}]=1`],
    ["a filter value", "GET", `${filesets}?filter=${encoded}`],
    ["a filter as text", "GET", `${filesets}?filter=${SHORT}`],
    ["a page token", "GET", `${filesets}/a/files?page_token=${SHORT}`],
    ["a secret", "POST", `${SECRETS}/default/secrets`, { json: { name: LONG, value: "v" } }],
    ["a header", "POST", `${filesets}/a/uploads`, { headers: { "tus-resumable": "1.0.0", "upload-length": SHORT } }],
    ["a checksum", "PUT", `${filesets}/a/-/x`, { body: "x", headers: { "x-checksum-sha256": SHORT } }],
    ["an origin", "POST", filesets, { json: {}, headers: { origin: `http://${SHORT}` } }],
    ["a hub repository", "POST", `${HUB_PREFIX}/api/repos/create`, { json: { name: LONG } }],
    ["a hub revision", "GET", `${HUB_PREFIX}/api/models/default/a/tree/${SHORT}`],
    ["a hub branch", "POST", `${HUB_PREFIX}/api/models/default/a/commit/${SHORT}`, { body: "{}" }],
    [
      "a commit line",
      "POST",
      `${HUB_PREFIX}/api/models/default/a/commit/main`,
      { body: `{"key":"${LONG}","value":1}` },
    ],
    [
      "an encoding",
      "POST",
      `${HUB_PREFIX}/api/models/default/a/commit/main`,
      { body: JSON.stringify({ key: "file", value: { path: LONG, content: "", encoding: LONG } }) },
    ],
    ["an evaluation target", "POST", "/v1/evaluation/targets", { json: { type: LONG, name: LONG } }],
    ["a job", "POST", "/v1/evaluation/jobs", { json: { target: LONG, config: LONG } }],
    ["a failed launch check", "POST", "/v1/evaluation/jobs", { json: { target: GIVEN, config: checkOf(SHORT) } }],
    ["a type of hub repository", "POST", `${HUB_PREFIX}/api/repos/create`, { json: { name: "b", type: LONG } }],
    ["a guardrail", "POST", "/apis/guardrails/v2/workspaces/default/configs", { json: { name: LONG, data: LONG } }],
    ["a model", "POST", "/apis/models/v2/workspaces/default/models", { json: { name: LONG, fileset: LONG } }],
  ]

  it.each(requests.map(([what, method, path, call = {}]) => ({ what, method, path, call })))(
    "echoes at most a few hundred bytes of $what",
    verifies("errors.bounded"),
    async ({ method, path, call }) => {
      const { status, text, headers } = await server.call(method, path, call)
      expect(Math.floor(status / 100)).toBe(4)
      const answer = text + Object.values(headers).join("")
      const runs = answer.match(/x{50,}|y{50,}|(?:z\/){25,}/g) ?? []
      expect(runs.join("").length).toBeLessThanOrEqual(1500)
      expect(text.length).toBeLessThan(4000)
    },
  )

  it("can be built for values of any depth and kind", verifies("errors.bounded"), async () => {
    const depth = 60
    const json = `{"name":${"[".repeat(depth)}"\\ud800"${"]".repeat(depth)}}`
    const answer = await server.call("POST", filesets, { body: json, headers: { "content-type": "application/json" } })
    expect([answer.status, answer.json.detail[0].loc]).toEqual([422, ["body", "name"]])
  })
})
