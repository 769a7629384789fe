import { describe, expect, it } from "vitest"
import type { JsonObject } from "@assay/json"
import { embeddingReasons } from "./embedding-reasons.ts"

const nothing = { config: {}, files: new Set<string>(), names: [], hasTemplate: false, hasStoredHead: false }
const reasonsFor = (architecture: string, config: JsonObject = {}, more: Partial<typeof nothing> = {}) =>
  embeddingReasons({ ...nothing, architecture, config, ...more })

describe("a class whose name has no head", () => {
  it.each(["BertModel", "Qwen2Model", "MistralModel", "ChatterModel"])("is an embedding model: %s", (architecture) => {
    expect(reasonsFor(architecture)).toEqual([`the architecture '${architecture}' has no head`])
  })

  it.each(["InternVLChatModel", "ChatGLMModel", "Qwen2_5OmniModel", "H2OVLChatModel", "NVLM_D_Model"])(
    "generates text if its name says so: %s",
    (architecture) => {
      expect(reasonsFor(architecture)).toEqual([])
    },
  )

  it.each([
    [{ auto_map: { AutoModelForCausalLM: "modeling_x.XModel" } }],
    [{ llm_config: { architectures: ["Qwen2ForCausalLM"] } }],
    [{ text_config: { architectures: ["LlamaForCausalLM"] } }],
  ])("generates text if its config says so: %j", (config) => {
    expect(reasonsFor("XModel", config)).toEqual([])
    expect(reasonsFor("XModel", { auto_map: { AutoModel: "modeling_x.XModel" } })).toHaveLength(1)
  })

  it("generates text if it has a chat template or stores an output head", () => {
    expect(reasonsFor("XModel", {}, { hasTemplate: true })).toEqual([])
    expect(reasonsFor("XModel", {}, { hasStoredHead: true })).toEqual([])
  })

  it("is an embedding model for any other reason, whatever the class generates", () => {
    expect(reasonsFor("InternVLChatModel", {}, { files: new Set(["modules.json"]) })).toHaveLength(1)
  })
})
