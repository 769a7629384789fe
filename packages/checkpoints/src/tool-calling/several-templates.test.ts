import { describe, expect, it } from "vitest"
import { makeCheckpoint } from "../testing/checkpoint-folder.ts"
import { analyzeCheckpoint } from "../analyze-checkpoint.ts"
import { renderChat } from "../render-chat.ts"

const config = { model_type: "llama", architectures: ["LlamaForCausalLM"], num_hidden_layers: 1, hidden_size: 8 }
const checkpoint = { "config.json": config, "pytorch_model.bin": "weights" }
const plain = "{% for m in messages %}{{ m.content }}{% endfor %}"
const withTools = `{% for tool in tools %}<tool_call>{{ tool.function.name }}{% endfor %}${plain}`
const tool = { type: "function", function: { name: "get_weather", parameters: { type: "object", properties: {} } } }

const layouts = {
  "a list in the tokenizer's config": {
    "tokenizer_config.json": {
      chat_template: [
        { name: "default", template: plain },
        { name: "tool_use", template: withTools },
      ],
    },
  },
  "a file beside the default one": {
    "chat_template.jinja": plain,
    "additional_chat_templates/tool_use.jinja": withTools,
  },
}

describe("a checkpoint with a chat template for tools", () => {
  it.each(Object.entries(layouts))("is analysed and rendered with it if there are tools: %s", async (_, files) => {
    const { storage } = await makeCheckpoint({ files: { ...checkpoint, ...files } })
    const { spec, warnings } = await analyzeCheckpoint({ storage })
    expect(spec).toMatchObject({ chat_template: plain, tool_call_config: { tool_call_parser: "hermes" } })
    expect(warnings.join()).not.toContain("tool")
    const render = async (tools: readonly (typeof tool)[] | null) => {
      const conversation = { messages: [{ role: "user", content: "Hi." }], tools }
      const { signal } = new AbortController()
      return (await renderChat({ template: plain, storage, conversation, signal } as never)).text
    }
    expect(await render([tool])).toBe("<tool_call>get_weatherHi.")
    expect(await render(null)).toBe("Hi.")
  })

  it("suggests a parser if the template sets `tools` in a branch", async () => {
    const source = `{% if custom is defined %}{% set tools = custom %}{% endif %}${withTools.replace("<tool_call>", "")}`
    const { storage } = await makeCheckpoint({ files: { ...checkpoint, "chat_template.jinja": source } })
    const { spec } = await analyzeCheckpoint({ storage })
    expect(spec.tool_call_config).toMatchObject({ tool_call_parser: "llama3_json" })
  })
})
