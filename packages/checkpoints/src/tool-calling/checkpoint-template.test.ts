import { describe, expect, it } from "vitest"
import type { Descriptions } from "../files/read-descriptions.ts"
import { checkpointTemplate, tokenizerTokens } from "./checkpoint-template.ts"
import { suggestParser } from "./resolve-tool-calling.ts"

const nothing: Descriptions = {
  config: null,
  tokenizer: null,
  generation: null,
  adapter: null,
  packing: null,
  templateText: null,
  template: null,
  namedTemplates: new Map(),
}
const gguf = new Map([["default", "gguf"]])
const named = (...names: readonly string[]) => names.map((name) => ({ name, template: `the ${name} one` }))

describe("the chat template of a checkpoint", () => {
  it("comes from its file, or else from the tokenizer, the processor or a GGUF file", () => {
    const tokenizer = { chat_template: "tokenizer" }
    const template = { chat_template: "processor" }
    const textOf = (part: Partial<Descriptions>) => checkpointTemplate({ ...nothing, ...part }, gguf).text
    expect(textOf({ templateText: "file", tokenizer, template })).toBe("file")
    expect(textOf({ tokenizer, template })).toBe("tokenizer")
    expect(textOf({ tokenizer: {}, template })).toBe("processor")
    expect(textOf({ tokenizer: { chat_template: 7 } })).toBe("gguf")
    expect(checkpointTemplate(nothing, new Map()).text).toBeNull()
  })

  it("is the default one of several, or the one for tools, or the first", () => {
    const from = (chat_template: unknown) => checkpointTemplate({ ...nothing, tokenizer: { chat_template } }, new Map())
    expect(from(named("rag", "tool_use", "default"))).toEqual({
      text: "the default one",
      toolText: "the tool_use one",
      warnings: ["Of several chat templates 'default' is taken; left out: 'rag'."],
    })
    expect(from(named("rag", "tool_use")).text).toBe("the tool_use one")
    expect(from(named("rag"))).toEqual({ text: "the rag one", toolText: null, warnings: [] })
    expect(from({ rag: "by name" }).text).toBe("by name")
    expect(from([]).text).toBeNull()
  })

  it("can have others beside it for conversations with tools, in each location that holds templates", () => {
    const namedTemplates = new Map([["tool_use", "beside"]])
    const from = (part: Partial<Descriptions>) => checkpointTemplate({ ...nothing, ...part }, new Map())
    const expected = { text: "file", toolText: "beside", warnings: [] }
    expect(from({ templateText: "file", namedTemplates })).toEqual(expected)
    expect(from({ tokenizer: { chat_template: "file" }, namedTemplates })).toEqual(expected)
    expect(from({ namedTemplates })).toEqual({ text: "beside", toolText: null, warnings: [] })
    const inGguf = new Map([["tool_use", "gguf tools"], ...gguf])
    expect(checkpointTemplate(nothing, inGguf)).toEqual({ text: "gguf", toolText: "gguf tools", warnings: [] })
  })
})

describe("the tool call parser", () => {
  it("is suggested by markers in the template before the family", () => {
    const family = { family: "llama", classes: [], kind: "decoder", gated: true, parser: "llama3_json" } as const
    expect(suggestParser("{{ tools }}", family)).toBe("llama3_json")
    expect(suggestParser("{{ tools }}<tool_call>", family)).toBe("hermes")
    expect(suggestParser("{{ tools }}<tool_call><function=", family)).toBe("qwen3_coder")
    expect(suggestParser("{{ tools }}[TOOL_CALLS]", undefined)).toBe("mistral")
    expect(suggestParser("{{ tools }}", undefined)).toBeNull()
  })
})

describe("the special tokens of a tokenizer", () => {
  it("are texts, or objects with a content", () => {
    const tokenizer = { bos_token: "<s>", eos_token: { content: "</s>", lstrip: false }, pad_token: null, other: "x" }
    expect(tokenizerTokens(tokenizer)).toEqual({ bos_token: "<s>", eos_token: "</s>" })
    expect(tokenizerTokens(null)).toEqual({})
  })
})
