import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { EVALUATION, modelTarget } from "../testing/evaluation-bodies.ts"
import { ENTITIES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const TARGETS = `${EVALUATION}/targets`
const CONFIGS = `${EVALUATION}/configs`
const KEY = "sk-written-inline-1"
const MODEL = modelTarget("http://127.0.0.1:9")

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.call("POST", ENTITIES, { json: { name: "org" } })
})
afterAll(() => server[Symbol.asyncDispose]())

const post = (path: string, json: unknown) => server.call("POST", path, { json })

it("A target can be created, read, changed and deleted", verifies("eval.targets-configs"), async () => {
  const body = { ...MODEL, name: "llm", namespace: "org", project: "p", vendor_field: { kept: [1] }, ownership: null }
  const made = await post(TARGETS, body)
  const { ownership: _ownership, ...kept } = body
  expect([made.status, made.json]).toEqual([
    201,
    {
      ...kept,
      id: expect.stringMatching(/^eval-target-[1-9A-HJ-NP-Za-km-z]{20,}$/),
      description: "",
      custom_fields: {},
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    },
  ])
  expect((await server.call("GET", `${TARGETS}/org/llm`)).json).toEqual(made.json)
  const change = { description: "d", vendor_field: null, custom_fields: { a: 1 }, name: "llm" }
  const changed = await server.call("PATCH", `${TARGETS}/org/llm`, { json: change })
  const { vendor_field: _field, ...rest } = made.json
  expect(changed.json).toEqual({ ...rest, ...change, vendor_field: undefined, updated_at: changed.json.updated_at })
  const removed = await server.call("DELETE", `${TARGETS}/org/llm`)
  expect(removed.json).toMatchObject({ id: made.json.id, message: expect.any(String), deleted_at: null })
  expect((await server.call("GET", `${TARGETS}/org/llm`)).json).toMatchObject({ code: "not_found" })
})

it(
  "Configurations can be created, changed and listed, and a name exists once in a workspace",
  verifies("eval.targets-configs", "eval.ids"),
  async () => {
    const made = await post(CONFIGS, { type: "custom", name: "first" })
    expect([made.status, made.json.namespace]).toEqual([201, "default"])
    expect(made.json.id).toMatch(/^eval-config-/)
    expect((await post(CONFIGS, { type: "custom", name: "first" })).status).toBe(409)
    const unnamed = await post(CONFIGS, { type: "agentic", namespace: "org", params: { parallelism: 2 } })
    expect(unnamed.json.name).toBe(unnamed.json.id)
    const names = async (query: string) => {
      const { json } = await server.call("GET", `${CONFIGS}?${query}`)
      return json.data.map(({ name }: { name: string }) => (name === "first" ? name : "unnamed")).join(" ")
    }
    expect(await names("")).toBe("unnamed first")
    expect(await names("sort=created_at")).toBe("first unnamed")
    expect(await names("filter[type]=agentic")).toBe("unnamed")
    expect(await names("filter[namespace]=default")).toBe("first")
    expect(await names("search[name]=FIR")).toBe("first")
    expect(await names("page=2&page_size=1")).toBe("first")
    expect((await server.call("GET", `${CONFIGS}?filter[colour]=red`)).json.code).toBe("unknown_filter_field")
    const { json } = await server.call("GET", `${CONFIGS}?page_size=1&filter[type]=custom`)
    expect(json).toMatchObject({
      object: "list",
      pagination: { page: 1, page_size: 1, current_page_size: 1, total_pages: 1, total_results: 1 },
      sort: "-created_at",
      filter: { type: "custom" },
      search: {},
    })
  },
)

it("An inline key is stored as a secret and never returned", verifies("eval.inline-keys"), async () => {
  const made = await post(TARGETS, { ...modelTarget("http://127.0.0.1:9", { api_key: KEY }), name: "keyed" })
  const { api_key, api_key_secret } = made.json.model.api_endpoint
  expect([api_key, api_key_secret]).toEqual(["******", expect.stringMatching(/^default\/eval-key-/)])
  const secrets = await server.call("GET", `${SECRETS}/default/secrets`)
  expect(secrets.json.data.map(({ name }: { name: string }) => `default/${name}`)).toContain(api_key_secret)
  // A record that was read can be sent back unchanged.
  const again = await server.call("PATCH", `${TARGETS}/default/keyed`, { json: { model: made.json.model } })
  expect(again.json.model).toEqual(made.json.model)
  const shown = [made, again, await server.call("GET", TARGETS), await server.call("GET", `${TARGETS}/default/keyed`)]
  for (const { text } of shown) expect(text).not.toContain(KEY)
  expect(server.log()).not.toContain(KEY)
})

it(
  "A configuration with an incomplete dataset is stored, because the launch checks datasets",
  verifies("eval.targets-configs"),
  async () => {
    const made = await post(CONFIGS, { type: "custom", tasks: { t: { dataset: { format: "csv" } } } })
    expect([made.status, made.json.tasks]).toEqual([201, { t: { dataset: { format: "csv" } } }])
  },
)

it.each([
  ["an unknown type", { type: "oracle" }, "type"],
  ["a name with a slash", { ...MODEL, name: "a/b" }, "name"],
  ["an unknown namespace", { ...MODEL, namespace: "nowhere" }, "namespace"],
])("Creating a document refuses %s without repeating the input", async (_what, body, field) => {
  const { status, json } = await post(TARGETS, body)
  expect([status, json.detail[0].loc.at(-1), "input" in json.detail[0]]).toEqual([422, field, false])
})

it("A change that makes a document invalid or moves it is refused", async () => {
  await post(TARGETS, { ...MODEL, name: "fixed" })
  for (const [change, field] of [
    [{ type: "oracle" }, "type"],
    [{ name: "other" }, "name"],
    [{ namespace: "org" }, "namespace"],
  ] as const) {
    const { status, json } = await server.call("PATCH", `${TARGETS}/default/fixed`, { json: change })
    expect([status, json.detail[0].loc]).toEqual([422, ["body", field]])
  }
})
