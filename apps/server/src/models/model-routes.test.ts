import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CHECKPOINT_PARAMETERS, checkpointFiles } from "../testing/checkpoint-files.ts"
import { ENTITIES, FILES, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

const MODELS = "/apis/models/v2/workspaces/default/models"
const TEMPLATE = "{% for m in messages %}{{ m.content }}{% endfor %}{% if tools %}{{ tools | tojson }}{% endif %}"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ ASSAY_ALLOW_PLUGINS: "1" })
  const special = { content: "<|im_start|>", special: true }
  const tokenizer = {
    chat_template: TEMPLATE,
    added_tokens_decoder: { 1: special, 2: { content: "x", special: false } },
  }
  await fill("chat", { ...checkpointFiles(), "tokenizer_config.json": Buffer.from(JSON.stringify(tokenizer)) })
  await fill("plain", checkpointFiles())
})
afterAll(() => server[Symbol.asyncDispose]())

const call = (method: string, path: string, options?: Call) => server.call(method, path, options)
const create = (name: string, fileset: string, query = "") =>
  call("POST", `${MODELS}${query}`, { json: { name, fileset } })

/** Creates a fileset with these files. */
async function fill(name: string, files: Readonly<Record<string, Buffer>>, metadata = {}): Promise<void> {
  await call("POST", `${FILES}/default/filesets`, { json: { name, purpose: "model", metadata } })
  for (const [path, body] of Object.entries(files)) {
    expect((await call("PUT", `${FILES}/default/filesets/${name}/-/${path}`, { body })).status).toBe(200)
  }
}

describe("models over HTTP", () => {
  it("are created with the specification of their checkpoint", verifies("models.create", "models.record"), async () => {
    const { status, json } = await call("POST", MODELS, {
      json: { name: "first", fileset: "chat", description: "d", project: "p", custom_fields: { n: 1 } },
    })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      name: "first",
      workspace: "default",
      project: "p",
      description: "d",
      fileset: "default/chat",
      custom_fields: { n: 1 },
      spec: {
        checkpoint_model_name: "Qwen2ForCausalLM",
        base_num_parameters: CHECKPOINT_PARAMETERS,
        precision: "bfloat16",
        is_chat: true,
        chat_template: TEMPLATE,
        tool_call_config: { tool_call_parser: "hermes", tool_call_plugin: null, auto_tool_choice: null },
        linear_layers: [],
      },
      analysis: { status: "completed", error: null, warnings: [] },
    })
    expect(json.analysis.requests).toBeGreaterThan(0)
    expect(json.analysis.bytes_read).toBeLessThan(100_000)
    expect((await call("GET", `${MODELS}/first`)).json).toEqual(json)
  })

  it("render a conversation with their chat template and special tokens", verifies("models.render"), async () => {
    const render = (body: object) => call("POST", `${MODELS}/first/render`, { json: body })
    const messages = [{ role: "user", content: "hi" }]
    const tools = [{ type: "function", function: { name: "f" } }]
    expect((await render({ messages, tools })).json).toEqual({
      text: `hi${JSON.stringify(tools).replaceAll(/([,:])/gu, "$1 ")}`,
      fault: null,
      special_tokens: ["<|im_start|>"],
    })
    // Numbers reach the template as they are written.
    const numbered = '{"messages":[{"role":"user","content":"hi"}],"tools":[{"n":[1.0,12345678901234567890,1e-5]}]}'
    const { json } = await call("POST", `${MODELS}/first/render`, {
      body: numbered,
      headers: { "content-type": "application/json" },
    })
    expect(json.text).toBe('hi[{"n": [1.0, 12345678901234567890, 1e-05]}]')
    expect((await render({ messages: [] })).status).toBe(422)
    await call("POST", MODELS, { json: { name: "plain", fileset: "plain" } })
    expect((await call("POST", `${MODELS}/plain/render`, { json: { messages } })).json).toMatchObject({
      code: "not_found",
      detail: expect.stringContaining("has no chat template"),
    })
  })

  it(
    "are returned before the end of their analysis with wait=0, and the analysis continues",
    verifies("models.wait"),
    async () => {
      const { status, json } = await create("later", "chat", "?wait=0")
      expect([status, json.spec, json.analysis.status]).toEqual([201, null, "running"])
      const done = await call("POST", `${MODELS}/later/analyze`)
      expect([done.status, done.json.analysis.status]).toEqual([200, "completed"])
      for (const wait of ["-1", "301", "soon"]) {
        expect((await create("never", "chat", `?wait=${wait}`)).json.detail[0].loc).toEqual(["query", "wait"])
      }
    },
  )

  it(
    "are stored with the error if their analysis fails, and can be analysed again",
    verifies("models.analyze", "models.analyze.failed", "models.analysis.not-a-checkpoint"),
    async () => {
      const files = checkpointFiles()
      await fill("growing", { "README.md": Buffer.from("soon") })
      const failed = await create("growing", "growing")
      expect(failed.status).toBe(201)
      expect(failed.json).toMatchObject({ spec: null, analysis: { status: "failed", warnings: [] } })
      expect(failed.json.analysis.error.code).toBe("not_a_checkpoint")
      expect(failed.json.analysis.error.message).toContain("config.json")
      for (const [path, body] of Object.entries(files)) {
        await call("PUT", `${FILES}/default/filesets/growing/-/${path}`, { body })
      }
      const { json } = await call("POST", `${MODELS}/growing/analyze`)
      expect(json).toMatchObject({ spec: { family: "qwen2" }, analysis: { status: "completed", error: null } })

      await call("DELETE", `${FILES}/default/filesets/growing`)
      const gone = await call("POST", `${MODELS}/growing/analyze`)
      expect(gone.json).toMatchObject({
        spec: json.spec,
        analysis: {
          status: "failed",
          error: { code: "not_found", message: "Fileset 'growing' not found in workspace 'default'" },
        },
      })
    },
  )

  it(
    "take their tool calling from the metadata of the fileset, then from the checkpoint, then from the earlier specification",
    verifies("brief.metadata.merged", "models.tools.merge"),
    async () => {
      await fill("plugins", { "parse.py": Buffer.from("") })
      const tool_calling = {
        tool_call_parser: "pythonic",
        tool_call_plugin: "default/plugins",
        auto_tool_choice: true,
      }
      await fill("tools", checkpointFiles({ template: TEMPLATE }), { model: { tool_calling } })
      const { json } = await create("tools", "tools")
      expect(json.spec).toMatchObject({ chat_template: TEMPLATE, tool_call_config: tool_calling })
      await call("PATCH", `${FILES}/default/filesets/tools`, { json: { metadata: null } })
      const again = await call("POST", `${MODELS}/tools/analyze`)
      expect(again.json.spec.tool_call_config).toEqual({ ...tool_calling, tool_call_parser: "hermes" })
    },
  )

  it("have an existing plugin if the operator allows plugins", verifies("models.tools.plugin-exists"), async () => {
    await fill("empty", {})
    for (const tool_call_plugin of ["default/none", "default/empty"]) {
      const json = { name: "wrong", metadata: { model: { tool_calling: { tool_call_plugin } } } }
      const refused = await call("POST", `${FILES}/default/filesets`, { json })
      expect(refused.status).toBe(422)
      expect(refused.json.detail[0].loc).toEqual(["body", "metadata", "model", "tool_calling", "tool_call_plugin"])
    }
  })

  it(
    "leave plugins out, with a warning, unless the operator allows them",
    verifies("models.tools.plugins-dropped"),
    async () => {
      await using careful = await startTestServer()
      const metadata = { model: { tool_calling: { tool_call_plugin: "default/plugins" } } }
      await careful.call("POST", `${FILES}/default/filesets`, { json: { name: "tools", metadata } })
      for (const [path, body] of Object.entries(checkpointFiles())) {
        await careful.call("PUT", `${FILES}/default/filesets/tools/-/${path}`, { body })
      }
      const { json } = await careful.call("POST", MODELS, { json: { name: "m", fileset: "tools" } })
      expect(json.spec.tool_call_config).toBeNull()
      expect(json.analysis.warnings).toEqual([expect.stringContaining("operator of this server allows none")])
    },
  )

  it(
    "are listed, changed and deleted without their fileset",
    verifies("models.list", "models.update", "models.delete.answers-record"),
    async () => {
      await call("POST", ENTITIES, { json: { name: "listed" } })
      const listed = MODELS.replace("default", "listed")
      for (const name of ["b", "a"]) await call("POST", listed, { json: { name, fileset: "default/chat" } })
      const names = async (query: string) =>
        (await call("GET", listed + query)).json.data.map((one: { readonly name: string }) => one.name)
      expect([await names(""), await names("?sort=-name"), await names("?page=2&page_size=1")]).toEqual([
        ["a", "b"],
        ["b", "a"],
        ["b"],
      ])
      const changed = await call("PATCH", `${listed}/a`, { json: { description: "new" } })
      expect(changed.json).toMatchObject({ description: "new", spec: { family: "qwen2" } })
      const refused = await call("PATCH", `${listed}/a`, { json: { fileset: "default/tools" } })
      expect([refused.status, refused.json.detail[0].loc]).toEqual([422, ["body", "fileset"]])
      const held = await call("DELETE", `${ENTITIES}/listed`)
      expect([held.status, held.json.detail]).toEqual([409, expect.stringContaining("2 models")])
      const removed = await call("DELETE", `${listed}/a`)
      expect([removed.status, removed.json]).toEqual([200, changed.json])
      expect((await call("GET", `${listed}/a`)).json).toEqual({
        code: "not_found",
        detail: "Model 'a' not found in workspace 'listed'",
      })
      expect((await call("GET", `${FILES}/default/filesets/chat`)).status).toBe(200)
    },
  )

  it("are listed in pages of 100, at most 1000", verifies("models.list"), async () => {
    const size = async (query: string) => (await call("GET", MODELS + query)).json.pagination?.page_size
    expect([await size(""), await size("?page_size=1000"), await size("?page_size=1001")]).toEqual([
      100,
      1000,
      undefined,
    ])
  })

  it("can be described without a fileset, and filtered", verifies("models.described", "models.list"), async () => {
    const spec = { context_size: 4096, family: "llama", is_chat: true, base_num_parameters: 7_000_000_000 }
    const api_endpoint = { url: "http://127.0.0.1:9000/v1", model_id: "meta/llama", format: "openai" }
    const body = { name: "described", model_providers: ["a", "b"], spec, custom_fields: { domain: "x" } }
    const made = await call("POST", MODELS, { json: body })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({ ...body, fileset: null, api_endpoint: null, analysis: { status: "completed" } })
    expect(made.json.spec).toMatchObject({ hidden_size: null, linear_layers: [] })
    const change = (json: object, name = "described") => call("PATCH", `${MODELS}/${name}`, { json })
    const changed = await change({ name: "described", api_endpoint, base_model: "meta/base" })
    expect(changed.json).toMatchObject({ api_endpoint, base_model: "meta/base", model_providers: ["a", "b"] })
    expect((await change({ spec: null, model_providers: null })).json).toMatchObject({
      spec: null,
      model_providers: [],
      api_endpoint,
    })
    for (const json of [
      { api_endpoint: { ...api_endpoint, api_key: "nvapi-secret" } },
      { api_endpoint: { url: "http://me:nvapi-secret@host/v1" } },
      { api_endpoint: { url: "http://host/v1?key=nvapi-secret" } },
      { spec: { tool_call_config: { tool_call_plugin: "default/chat" } } },
      { spec: "nvapi-secret" },
      { name: "another" },
    ]) {
      const { status, text } = await change(json)
      expect([status, text.includes("nvapi-secret")]).toEqual([422, false])
    }
    expect((await call("POST", `${MODELS}/described/analyze`)).json.detail[0].type).toBe("no_fileset")
    const rendered = { json: { messages: [{ role: "user", content: "x" }] } }
    expect((await call("POST", `${MODELS}/described/render`, rendered)).status).toBe(404)
    await create("of-a-fileset", "plain", "?wait=0")
    expect((await change({ spec }, "of-a-fileset")).json.detail[0].type).toBe("spec_is_analysed")
    const names = async (query: string, workspace = "default") => {
      const { json } = await call("GET", `${MODELS.replace("default", workspace)}?${query}`)
      return json.data.map((one: { readonly name: string }) => one.name)
    }
    expect(await names("filter[fileset]=&filter[name][$like]=DESC")).toEqual(["described"])
    expect(await names("filter[data.fileset]=default/plain&filter[name][like]=of-", "-")).toEqual(["of-a-fileset"])
    expect(await names('filter={"entity_type":"model","name":"described"}', "-")).toEqual(["described"])
    expect(await names("verbose=true&sort=-updated_at&filter[name]=described")).toEqual(["described"])
    expect((await call("GET", `${MODELS}/described?verbose=false`)).status).toBe(200)
    const unknown = await call("GET", `${MODELS}?filter[spec]=x`)
    expect([unknown.status, unknown.json.code]).toEqual([400, "unknown_filter_field"])
  })

  it(
    "are refused without an existing fileset, with a taken name, and in an unknown workspace",
    verifies("requests.duplicate-name", "errors.create-in-missing-workspace"),
    async () => {
      const missing = await create("m", "none")
      expect([missing.status, missing.json.detail]).toEqual([404, "Fileset 'none' not found in workspace 'default'"])
      await create("twice", "chat", "?wait=0")
      const twice = await create("twice", "chat")
      expect([twice.status, twice.json.code]).toEqual([409, "already_exists"])
      const json = { name: "m", fileset: "default/chat" }
      expect((await call("POST", MODELS.replace("default", "nowhere"), { json })).status).toBe(422)
      expect((await create("a/b", "chat")).json.detail[0].loc).toEqual(["body", "name"])
    },
  )
})
