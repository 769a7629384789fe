import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { GUARDRAILS } from "../testing/start-judge.ts"
import { startTestServer, type TestServer } from "../testing/start-test-server.ts"

const CONFIGS = `${GUARDRAILS}/default/configs`
const FLOW = "self check input"
const DATA = {
  models: [{ type: "main", model: "m", url: "https://judge.example/v1", api_key_secret: "key" }],
  rails: { input: { flows: [FLOW] } },
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const create = (name: string, data: unknown = DATA, path = CONFIGS) =>
  server.call("POST", path, { json: { name, data } })

describe("guardrail configurations over HTTP", () => {
  it(
    "are created, read, changed, listed and removed",
    verifies("rails.configs-routes", "rails.configuration"),
    async () => {
      const { status, json } = await create("strict")
      expect(status).toBe(201)
      expect(json).toEqual({
        id: expect.stringMatching(/^guardrail-/),
        entity_id: json.id,
        name: "strict",
        workspace: "default",
        project: "",
        description: "",
        data: { ...DATA, models: [{ ...DATA.models[0], engine: "openai" }] },
        created_at: expect.any(String),
        updated_at: json.created_at,
      })
      expect((await server.call("GET", `${CONFIGS}/strict`)).json).toEqual(json)
      const changed = await server.call("PATCH", `${CONFIGS}/strict`, { json: { description: "d" } })
      expect(changed.json).toEqual({ ...json, description: "d", updated_at: changed.json.updated_at })
      const listed = await server.call("GET", CONFIGS)
      expect([listed.json.data, listed.json.pagination.total_results]).toEqual([[changed.json], 1])
      expect((await create("strict")).status).toBe(409)
      const removed = await server.call("DELETE", `${CONFIGS}/strict`)
      const message = "Resource deleted successfully."
      expect([removed.status, removed.json]).toEqual([200, { ...changed.json, message, deleted_at: null }])
      expect((await server.call("GET", `${CONFIGS}/strict`)).status).toBe(404)
      expect((await create("x", DATA, `${GUARDRAILS}/nowhere/configs`)).status).toBe(422)
    },
  )

  it(
    "have their workspace as namespace in responses of the first version",
    verifies("rails.v1-namespace"),
    async () => {
      const v1 = "/v1/guardrail/configs"
      const made = await server.call("POST", v1, { json: { name: "first", namespace: "default", data: DATA } })
      expect(made.json).toMatchObject({ namespace: "default", workspace: "default", entity_id: made.json.id })
      const listed = await server.call("GET", `${v1}?sort=-created_at`)
      expect(listed.json).toMatchObject({ data: [{ name: "first", namespace: "default" }], sort: "-created_at" })
      expect((await server.call("GET", `${CONFIGS}/first`)).json).not.toHaveProperty("namespace")
      await server.call("DELETE", `${v1}/default/first`)
    },
  )

  it("need no data, and a change may repeat the name", verifies("rails.configs-routes"), async () => {
    const made = await server.call("POST", CONFIGS, { json: { name: "empty" } })
    expect([made.status, made.json.data]).toEqual([201, {}])
    const change = (json: object) => server.call("PATCH", `${CONFIGS}/empty`, { json })
    expect((await change({ name: "empty", description: "d" })).json.description).toBe("d")
    const renamed = await change({ name: "other", description: "e" })
    expect([renamed.status, renamed.json.detail[0].loc]).toEqual([422, ["body", "name"]])
    expect((await server.call("GET", `${CONFIGS}/empty`)).json.description).toBe("d")
  })

  it("are filtered as filesets are, the built-in ones too", verifies("rails.filtered"), async () => {
    await create("substr-apple")
    await create("substr-banana")
    const system = `${GUARDRAILS}/system/configs`
    const names = async (query: string, path = CONFIGS) => {
      const { json } = await server.call("GET", `${path}?sort=name&${query}`)
      return json.data.map(({ name }: { name: string }) => name)
    }
    expect(await names("filter[name][%24like]=AP")).toEqual(["substr-apple"])
    expect(await names('filter={"data.name":{"$in":["substr-banana"]}}')).toEqual(["substr-banana"])
    expect(await names('filter=name~"SUBSTR"-(entity_type:"model")')).toEqual(["substr-apple", "substr-banana"])
    expect(await names("filter[entity_type]=model")).toEqual([])
    expect(await names("filter[name][like]=safety", system)).toEqual(["content-safety"])
    expect(await names("filter[created_at][$gte]=2020-01-01", system)).not.toContain("self-check")
    const page = await server.call("GET", `${CONFIGS}?filter[data][name]=substr-apple&page_size=1`)
    expect(page.json).toMatchObject({ filter: { name: "substr-apple" }, pagination: { total_results: 1 } })
    const refused = async (query: string) => (await server.call("GET", `${CONFIGS}?${query}`)).json.code
    expect(await refused("filter[data.models]=x")).toBe("unknown_filter_field")
    expect(await refused("filter[kind]=evaluation_targets")).toBe("unknown_filter_field")
    expect(await refused("filter[name][$regex]=.*")).toBe("bad_filter")
    const dated = await server.call("GET", `${CONFIGS}?filter[created_at]=yesterday`)
    expect([dated.status, dated.json.detail[0].loc]).toEqual([422, ["query", "filter", "created_at"]])
  })

  it(
    "that can't work are refused with the location of the error",
    verifies("rails.configuration-checked"),
    async () => {
      const wrong = { ...DATA, rails: { input: { flows: ["self chek input"] } } }
      await create("kept")
      for (const answer of [
        await create("wrong", wrong),
        await server.call("PATCH", `${CONFIGS}/kept`, { json: { data: wrong } }),
      ]) {
        expect(answer.status).toBe(422)
        expect(answer.json.detail[0].loc).toEqual(["body", "data", "rails", "input", "flows", 0])
      }
    },
  )

  it("with link-local endpoints are refused", verifies("rails.link-local"), async () => {
    const { status, json } = await create("near", {
      ...DATA,
      models: [{ type: "main", url: "http://169.254.169.254" }],
    })
    expect([status, json.code]).toEqual([400, "host_not_allowed"])
    expect(json.detail).toContain("ASSAY_ALLOWED_INFERENCE_HOSTS")
  })

  it("with a key instead of its name are refused without repeating it", async () => {
    const { status, text } = await create("keyed", { ...DATA, models: [{ type: "main", api_key: "nvapi-abc" }] })
    expect(status).toBe(422)
    expect(text).toContain("api_key")
    expect(text).not.toContain("nvapi-abc")
  })

  it("exist from the start in the workspace system, read-only", verifies("rails.built-in"), async () => {
    const system = `${GUARDRAILS}/system/configs`
    await create("mine", DATA, system)
    const names = async (query: string) =>
      (await server.call("GET", `${system}${query}`)).json.data.map(({ name }: { name: string }) => name)
    expect(await names("")).toEqual(["content-safety", "self-check", "mine"])
    expect([await names("?page_size=1&page=2"), await names("?page_size=2&page=2")]).toEqual([["self-check"], ["mine"]])
    for (const name of ["content-safety", "self-check"]) {
      const { status, json } = await server.call("GET", `${system}/${name}`)
      expect([status, json.workspace, json.id]).toEqual([200, "system", `guardrail-built-in-${name}`])
      const changed = await server.call("PATCH", `${system}/${name}`, { json: { description: "d" } })
      const removed = await server.call("DELETE", `${system}/${name}`)
      expect([changed.status, removed.status, (await create(name, DATA, system)).status]).toEqual([409, 409, 409])
      expect(removed.json.detail).toContain("is built in")
    }
  })
})
