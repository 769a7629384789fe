import { type ModelAnalysis, type ModelSpec, MODEL_FILTER_FIELDS, parseFilter } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Registry } from "../registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import { ANALYSIS_LEASE_MS } from "./analysis-run.ts"

const NEWEST = { page: 1, page_size: 10, sort: "-created_at" } as const
const COMPLETED: ModelAnalysis = {
  status: "completed",
  error: null,
  warnings: ["odd"],
  bytes_read: 12,
  requests: 3,
  analyzed_at: "2026-11-20T00:00:00.000Z",
}
const FAILED: ModelAnalysis = { ...COMPLETED, status: "failed", error: { code: "not_a_checkpoint", message: "No." } }
const STOPPED = { status: "failed", error: { code: "unavailable", message: expect.stringContaining("server stopped") } }
// A checkpoint can contain any text.
const SPEC = { family: "llama", chat_template: "a\0b\ud800" } as ModelSpec

describe.each(DATABASE_KINDS)("models on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
    await registry.filesets.create("default", { name: "weights" })
  })
  afterAll(() => test.remove())

  const create = (name: string, workspace = "default") =>
    registry.models.create(workspace, { name, fileset: "default/weights" })

  it(
    "can be created with a running analysis, read, changed and removed",
    verifies("models.record", "models.delete.answers-record"),
    async () => {
      const run = await registry.models.create("default", { name: "m", fileset: "weights", custom_fields: { a: [1] } })
      expect(run.model).toEqual({
        id: expect.stringMatching(/^model-/),
        name: "m",
        workspace: "default",
        project: "",
        description: "",
        fileset: "default/weights",
        spec: null,
        analysis: { status: "running", error: null, warnings: [], bytes_read: 0, requests: 0, analyzed_at: null },
        api_endpoint: null,
        base_model: null,
        model_providers: [],
        custom_fields: { a: [1] },
        created_at: run.model.updated_at,
        updated_at: expect.stringMatching(/^2026-11-20T/),
      })
      await run.keep({ spec: SPEC, analysis: COMPLETED })
      const made = await registry.models.get("default", "m")
      expect(made).toEqual({ ...run.model, spec: SPEC, analysis: COMPLETED, updated_at: made.updated_at })
      expect(made.updated_at > made.created_at).toBe(true)
      const changed = await registry.models.update("default", "m", { description: "new", custom_fields: null })
      expect(changed).toEqual({ ...made, description: "new", custom_fields: {}, updated_at: changed.updated_at })
      expect(await registry.models.update("default", "m", {})).toEqual(changed)
      expect(await registry.models.remove("default", "m")).toEqual(changed)
      const missing = { code: "not_found", message: "Model 'm' not found in workspace 'default'" }
      await expect(registry.models.get("default", "m")).rejects.toMatchObject(missing)
      await expect(registry.models.update("default", "m", { project: "" })).rejects.toMatchObject(missing)
      await expect(registry.models.remove("default", "m")).rejects.toMatchObject(missing)
      await expect(registry.models.startAnalysis("default", "m")).rejects.toMatchObject(missing)
    },
  )

  it("have unique names in a workspace", verifies("requests.duplicate-name"), async () => {
    await create("twice")
    await create("twice", "system")
    await expect(create("twice")).rejects.toMatchObject({
      code: "already_exists",
      message: "Model 'default/twice' already exists",
    })
  })

  it(
    "can't be created without an existing workspace and fileset",
    verifies("errors.create-in-missing-workspace"),
    async () => {
      await expect(create("m", "nowhere")).rejects.toMatchObject({ code: "invalid_request" })
      for (const [fileset, message] of [
        ["none", "Fileset 'none' not found in workspace 'default'"],
        ["nowhere/weights", "Workspace 'nowhere' not found"],
      ] as const) {
        const creating = registry.models.create("default", { name: "m", fileset })
        await expect(creating).rejects.toMatchObject({ code: "not_found", message })
      }
      await expect(registry.models.get("default", "m")).rejects.toMatchObject({ code: "not_found" })
    },
  )

  it("name a fileset that is renamed by its new name", verifies("filesets.rename"), async () => {
    await registry.filesets.create("default", { name: "old" })
    await registry.models.create("default", { name: "model", fileset: "old" })
    await registry.filesets.update("default", "old", { name: "new" })
    expect(await registry.models.get("default", "model")).toMatchObject({ fileset: "default/new" })
    await registry.models.remove("default", "model")
    await registry.filesets.remove("default", "new")
  })

  it("are listed in pages and sorted", verifies("models.list"), async () => {
    await registry.workspaces.create({ name: "many" })
    expect((await registry.models.list("many", NEWEST, "all")).data).toEqual([])
    for (const name of ["b", "c", "a"]) await create(name, "many")
    const names = async (sort: "created_at" | "-created_at" | "name" | "-name") =>
      (await registry.models.list("many", { ...NEWEST, sort }, "all")).data.map(({ name }) => name).join("")
    expect(await Promise.all([names("created_at"), names("-created_at"), names("name"), names("-name")])).toEqual([
      "bca",
      "acb",
      "abc",
      "cba",
    ])
    const { data, ...page } = await registry.models.list("many", { ...NEWEST, page: 2, page_size: 2 }, "all")
    expect(data.map(({ name }) => name)).toEqual(["b"])
    expect(page).toEqual({
      pagination: { page: 2, page_size: 2, current_page_size: 1, total_pages: 2, total_results: 3 },
      sort: "-created_at",
    })
    const filtered = async (query: string, visible: "all" | readonly string[] = ["many"]) => {
      const filter = parseFilter([...new URLSearchParams(query)], MODEL_FILTER_FIELDS)
      const found = await registry.models.list(undefined, { ...NEWEST, filter }, visible)
      return found.data.map(({ name }) => name)
    }
    expect(await filtered("filter[name][$like]=B&filter[entity_type][$like]=ODE")).toEqual(["b"])
    expect(await filtered('filter={"$not":{"entity_type":{"$in":["model"]}}}')).toEqual([])
    expect(await filtered('filter=name IN ["a","c"] AND created_at>"2020-01-01"')).toEqual(["a", "c"])
    expect(await filtered("filter[name]=b", [])).toEqual([])
    expect(await filtered("filter[fileset]=default/weights&filter[entity_type][$gte]=m")).toEqual(["a", "c", "b"])
    await expect(registry.models.list("nowhere", NEWEST, "all")).rejects.toMatchObject({ code: "not_found" })
  })

  it("can be found by what clients say about them", verifies("filter.exists", "models.list.described"), async () => {
    await registry.workspaces.create({ name: "described" })
    const api_endpoint = { url: "http://127.0.0.1:9/v1", format: "openai" }
    await registry.models.describe("described", { name: "tuned", base_model: "default/Llama-3", api_endpoint })
    await registry.models.describe("described", { name: "said", base_model: null, model_providers: ["p"] })
    await registry.models.describe("described", { name: "plain" })
    const filtered = async (query: string) => {
      const filter = parseFilter([...new URLSearchParams(query)], MODEL_FILTER_FIELDS)
      const { data } = await registry.models.list("described", { ...NEWEST, sort: "name", filter }, "all")
      return data.map(({ name }) => name)
    }
    for (const query of [
      "filter[base_model]=default/Llama-3",
      "filter[base_model]=true",
      'filter={"base_model":true}',
      'filter={"data.base_model":{"$not":{"$eq":null}}}',
      'filter={"base_model":{"$in":["default/Llama-3",null]},"api_endpoint":{"$exists":true}}',
      "filter[base_model][$like]=LLAMA",
      'filter=base_model>"default/L"',
      'filter={"data.api_endpoint":{"$not":{"$eq":null}}}',
      'filter={"api_endpoint.format":"openai"}',
      "filter[api_endpoint][$exists]=true",
      'filter={"$or":[{"data.base_model":{"$not":{"$eq":null}}},{"adapters":{"$exists":true}}]}',
    ])
      expect([query, await filtered(query)]).toEqual([query, ["tuned"]])
    for (const query of [
      "filter[base_model]=false",
      "filter[base_model]=",
      'filter={"base_model":null}',
      'filter={"base_model":{"$exists":false}}',
      "filter[api_endpoint]=false",
      'filter={"$not":{"base_model":"default/Llama-3"}}',
    ])
      expect([query, await filtered(query)]).toEqual([query, ["plain", "said"]])
    expect(await filtered("filter[adapters][$exists]=true")).toEqual([])
    expect(await filtered('filter={"adapters":{"$exists":false},"prompt":null,"name":{"$exists":true}}')).toHaveLength(
      3,
    )
  })

  it(
    "have one analysis at a time, and keep their specification if it fails",
    verifies("models.analyze.failed"),
    async () => {
      const first = await create("again")
      expect(await registry.models.startAnalysis("default", "again")).toBeUndefined()
      await first.keep({ spec: SPEC, analysis: COMPLETED })
      const second = await registry.models.startAnalysis("default", "again")
      expect(second?.model).toMatchObject({ spec: SPEC, analysis: { status: "running", analyzed_at: null } })
      expect((await registry.models.get("default", "again")).analysis.status).toBe("running")
      await second?.keep({ spec: null, analysis: FAILED })
      expect(await registry.models.get("default", "again")).toMatchObject({ spec: SPEC, analysis: FAILED })
      await second?.keep({ spec: null, analysis: COMPLETED })
      expect((await registry.models.get("default", "again")).analysis).toEqual(FAILED)
    },
  )

  it("report that the server stopped during an analysis, and can be analysed again", async () => {
    const dropped = await create("dropped")
    await dropped.drop()
    expect((await registry.models.get("default", "dropped")).analysis).toMatchObject(STOPPED)
    expect(await registry.models.startAnalysis("default", "dropped")).toBeDefined()

    const killed = await create("killed")
    await test.pass(ANALYSIS_LEASE_MS)
    const { analysis } = await registry.models.get("default", "killed")
    expect(analysis).toMatchObject({ ...STOPPED, analyzed_at: expect.stringMatching(/^2026-11-20T/) })
    const next = await registry.models.startAnalysis("default", "killed")
    await killed.keep({ spec: null, analysis: FAILED })
    expect((await registry.models.get("default", "killed")).analysis.status).toBe("running")
    await next?.keep({ spec: SPEC, analysis: COMPLETED })
    expect((await registry.models.get("default", "killed")).analysis).toEqual(COMPLETED)
  })

  it("are released at the start after a crash, unless another server may analyse them", async () => {
    await create("left")
    const another = await test.openAnother()
    const { analysis } = await another.models.get("default", "left")
    if (kind === "sqlite") expect(analysis).toMatchObject(STOPPED)
    else expect(analysis.status).toBe("running")
  })

  it(
    "stay if their fileset is removed, and are removed with their workspace",
    verifies("workspaces.delete.in-use", "workspaces.delete.cascade"),
    async () => {
      await registry.workspaces.create({ name: "held" })
      await registry.filesets.create("held", { name: "gone" })
      const run = await registry.models.create("held", { name: "m", fileset: "gone" })
      await run.keep({ spec: SPEC, analysis: COMPLETED })
      await registry.filesets.remove("held", "gone")
      expect(await registry.models.get("held", "m")).toMatchObject({ fileset: "held/gone", spec: SPEC })
      const refused = { code: "in_use", context: { workspace: "held", filesets: 0, models: 1, secrets: 0 } }
      await expect(registry.workspaces.remove("held", { cascade: false })).rejects.toMatchObject(refused)
      await registry.workspaces.remove("held", { cascade: true })
      await registry.workspaces.create({ name: "held" })
      expect((await registry.models.list("held", NEWEST, "all")).data).toEqual([])
    },
  )

  it("can't contain text that a database can't store", async () => {
    const body = { name: "odd", fileset: "weights", custom_fields: { a: "\0" } }
    await expect(registry.models.create("default", body)).rejects.toMatchObject({ code: "invalid_request" })
    await expect(registry.models.update("default", "twice", { project: "\ud800" })).rejects.toMatchObject({
      issues: [{ loc: ["body", "project"], type: "unstorable_text" }],
    })
  })
})
