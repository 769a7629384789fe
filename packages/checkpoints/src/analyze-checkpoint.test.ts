import { ModelAnalysis, ModelSpec } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { Ajv } from "ajv"
import { describe, expect, it } from "vitest"
import { makeCheckpoint } from "./testing/checkpoint-folder.ts"
import type { TestTensor } from "./testing/safetensors-file.ts"
import { analyzeCheckpoint, analyzeModel } from "./analyze-checkpoint.ts"

const now = () => Date.UTC(2026, 10, 20)
const tensors: readonly TestTensor[] = [["model.embed_tokens.weight", "BF16", [10, 8]]]
const qwen = {
  model_type: "qwen2",
  architectures: ["Qwen2ForCausalLM"],
  hidden_size: 8,
  num_hidden_layers: 1,
  vocab_size: 10,
}
const template = "{% for m in messages %}{{ m.content }}{% endfor %}{% if tools %}{{ tools | tojson }}{% endif %}"
const chat = { "config.json": qwen, "tokenizer_config.json": { chat_template: template } }

const analyze = async (files: object, options: Partial<Parameters<typeof analyzeCheckpoint>[0]> = {}) => {
  const { storage } = await makeCheckpoint({ files: { ...files }, tensors })
  return analyzeCheckpoint({ storage, ...options })
}

describe("tool calling of an analysed checkpoint", () => {
  it("has the parser of the family if the template uses tools", async () => {
    const { spec, warnings } = await analyze(chat)
    expect(spec).toMatchObject({
      is_chat: true,
      chat_template: template,
      tool_call_config: { tool_call_parser: "hermes", tool_call_plugin: null, auto_tool_choice: null },
    })
    expect(warnings).toEqual([])
    const plain = await analyze({ ...chat, "tokenizer_config.json": { chat_template: "{{ messages[0].content }}" } })
    expect(plain.spec).toMatchObject({ is_chat: true, tool_call_config: null })
  })

  it("follows the fileset's metadata rather than the checkpoint", async () => {
    const tool_calling = { chat_template: `${template}!`, tool_call_parser: "pythonic", auto_tool_choice: true }
    const { spec } = await analyze(chat, { metadata: { tool_calling } })
    expect(spec).toMatchObject({
      chat_template: `${template}!`,
      tool_call_config: { tool_call_parser: "pythonic", auto_tool_choice: true },
    })
  })

  it("fails for an unusable template of the fileset, and warns about one of the checkpoint", async () => {
    const metadata = { tool_calling: { chat_template: "\n{{ ; }}" } }
    await expect(analyze(chat, { metadata })).rejects.toMatchObject({ code: "invalid_request" })
    const { spec, warnings } = await analyze({ ...chat, "chat_template.jinja": "\n{{ ; }}" })
    expect(spec).toMatchObject({ is_chat: true, tool_call_config: null })
    expect(warnings).toEqual(["The checkpoint's chat template can't be parsed: Unexpected ';' (line 2)."])
  })

  it("has a plugin if plugins are allowed and it exists", async () => {
    const metadata = { tool_calling: { tool_call_plugin: "ws/plugin" } }
    const { storage } = await makeCheckpoint({ files: { "plugin.py": "x" } })
    const found = await analyze(
      { "config.json": qwen },
      { metadata, allowPlugins: true, openFileset: async () => storage },
    )
    expect(found.spec.tool_call_config?.tool_call_plugin).toBe("ws/plugin")
    const missing = await analyze(
      { "config.json": qwen },
      { metadata, allowPlugins: true, openFileset: async () => null },
    )
    expect(missing.spec.tool_call_config).toBeNull()
    expect(missing.warnings).toEqual([
      "The tool call plugin is left out: it names the fileset 'ws/plugin', which does not exist.",
    ])
    const disallowed = await analyze(chat, { metadata })
    expect(disallowed.spec.tool_call_config).toMatchObject({ tool_call_parser: "hermes", tool_call_plugin: null })
    expect(disallowed.warnings).toHaveLength(1)
  })

  it("keeps previous settings that are given nowhere else", async () => {
    const first = await analyze(chat, { metadata: { tool_calling: { auto_tool_choice: true } } })
    const { spec } = await analyze({ "config.json": qwen }, { earlier: first.spec })
    expect(spec).toMatchObject({
      is_chat: true,
      chat_template: template,
      tool_call_config: first.spec.tool_call_config,
    })
  })

  it("makes it a chat model if the generation config names a chat format", async () => {
    const { spec } = await analyze({ "config.json": qwen, "generation_config.json": { chat_format: "chatml" } })
    expect(spec).toMatchObject({ is_chat: true, chat_template: null })
  })
})

describe("the analysis of a model's record", () => {
  it("completes with a specification", async () => {
    const { storage } = await makeCheckpoint({
      files: { "config.json": qwen, "adapter_config.json": { num_virtual_tokens: 20 } },
      tensors,
    })
    const { spec, analysis } = await analyzeModel({ storage, now })
    expect(spec).toMatchObject({ family: "qwen2", num_virtual_tokens: 20 })
    expect(analysis).toMatchObject({
      status: "completed",
      error: null,
      analyzed_at: "2026-11-20T00:00:00.000Z",
      requests: 4,
    })
    expect(analysis.bytes_read).toBeGreaterThan(100)
  })

  it("has exactly the fields of a specification", verifies("models.spec.fields"), async () => {
    const { storage } = await makeCheckpoint({ files: chat, tensors })
    const { spec, analysis } = await analyzeModel({ storage, now })
    const ajv = new Ajv({ formats: { "date-time": true } })
    expect(ajv.validate(ModelSpec, spec), ajv.errorsText()).toBe(true)
    expect(ajv.validate(ModelAnalysis, analysis), ajv.errorsText()).toBe(true)
    expect(Object.keys(spec ?? {}).toSorted()).toEqual(Object.keys(ModelSpec.properties).toSorted())
    expect(Object.keys(analysis).toSorted()).toEqual(Object.keys(ModelAnalysis.properties).toSorted())
  })

  it("fails with the reason and the cost of reading", async () => {
    const { storage } = await makeCheckpoint({ files: { "config.json": qwen } })
    const { spec, analysis } = await analyzeModel({ storage, now })
    expect(spec).toBeNull()
    expect(analysis).toMatchObject({ status: "failed", error: { code: "not_a_checkpoint" }, requests: 2 })
  })

  it("throws errors that the checkpoint did not cause", async () => {
    const { storage } = await makeCheckpoint({ files: { "config.json": qwen } })
    const broken = { ...storage, read: () => Promise.reject(new TypeError("a fault of ours")) }
    await expect(analyzeModel({ storage: broken, now })).rejects.toThrow("a fault of ours")
    await expect(analyzeModel({ storage, now, signal: AbortSignal.abort(new Error("left")) })).rejects.toThrow("left")
  })

  it("fails if a file changes while it is read", async () => {
    const { storage } = await makeCheckpoint({ files: { "config.json": qwen }, tensors })
    const list: typeof storage.list = async function* (options) {
      for await (const file of storage.list(options)) yield { ...file, size: file.size + 1 }
    }
    const { analysis } = await analyzeModel({ storage: { ...storage, list }, now })
    expect(analysis.error?.code).toBe("storage_changed")
  })
})
