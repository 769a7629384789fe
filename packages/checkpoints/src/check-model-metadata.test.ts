import type { AssayError } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { makeCheckpoint } from "./testing/checkpoint-folder.ts"
import { checkModelMetadata, type ModelMetadataOptions } from "./check-model-metadata.ts"

const options: ModelMetadataOptions = { allowPlugins: false, openFileset: async () => null }
const refusal = (tool_calling: object, more: Partial<ModelMetadataOptions> = {}) =>
  checkModelMetadata({ tool_calling }, { ...options, ...more }).then(
    () => undefined,
    (error: AssayError) => ({ code: error.code, issues: error.issues }),
  )

describe("the metadata of a model", () => {
  it("may contain a template that renders a conversation", async () => {
    const chat_template = "{% for m in messages %}{{ m.content }}{% endfor %}{{ tools | length if tools }}"
    expect(await checkModelMetadata({ tool_calling: { chat_template, tool_call_parser: "hermes" } }, options)).toEqual(
      [],
    )
    expect(await checkModelMetadata({}, options)).toEqual([])
    expect(await checkModelMetadata({ tool_calling: { chat_template: "" } }, options)).toEqual([])
  })

  it("is refused with the line of an unusable template", verifies("models.tools.template"), async () => {
    expect(await refusal({ chat_template: "{% if a %}\n{{ a b }}" })).toEqual({
      code: "invalid_request",
      issues: [
        {
          loc: ["body", "metadata", "model", "tool_calling", "chat_template"],
          msg: "can't be parsed: Expected the end of the tag, got 'b' (line 2)",
          type: "invalid_chat_template",
          ctx: { line: 2 },
        },
      ],
    })
    const long = await refusal({ chat_template: "x".repeat(1024 * 1024 + 1) }, { loc: ["m"] })
    expect(long?.issues).toMatchObject([
      { loc: ["m", "tool_calling", "chat_template"], msg: "is longer than 1048576 bytes" },
    ])
  })

  it("is refused for a template that fails with tools only if a parser is set", async () => {
    const chat_template = "{% if tools %}{{ raise_exception('no tools here') }}{% endif %}fine"
    expect(await refusal({ chat_template })).toBeUndefined()
    const refused = await refusal({ chat_template, tool_call_parser: "hermes" })
    expect(refused?.issues[0]?.msg).toBe("raises an exception: no tools here (line 1)")
  })

  it("is accepted with a warning about undefined names and unused tools", async () => {
    const chat_template = "{{ messages[0].content }}\n{{ persona }}"
    expect(await checkModelMetadata({ tool_calling: { chat_template, tool_call_parser: "hermes" } }, options)).toEqual([
      "The chat template uses undefined names: 'persona' (line 2).",
      "A parser of tool calls is set, but the chat template never reads 'tools'.",
    ])
  })

  it("is accepted with a warning about a template that fails in other conversations or can't be tested", async () => {
    const only =
      "{% for tool in tools %}{{ tool.function.name }}{% endfor %}{{ messages[2].content.shine() if messages[2] }}"
    expect((await refusal({ chat_template: only }))?.code).toBe("invalid_request")
    const check = (chat_template: string) =>
      checkModelMetadata({ tool_calling: { chat_template, tool_call_parser: "hermes" } }, options)
    const call = "can't be rendered: 'str object' has no attribute 'shine' (line 1)"
    expect(await check(only)).toEqual([
      "The chat template fails without tools: it can't be rendered: 'NoneType' object is not iterable (line 1).",
      `The chat template fails after a tool call: it ${call}.`,
    ])
    expect(await check("{{ messages[0].content | xmlattr }}")).toEqual([
      "The chat template can't be tested here: it can't be rendered: Unknown filter: xmlattr (line 1).",
    ])
  })

  it(
    "loses its plugin if plugins are not allowed, without looking for it",
    verifies("models.tools.plugins-dropped"),
    async () => {
      const openFileset = () => Promise.reject(new Error("looked for"))
      const warnings = await checkModelMetadata(
        { tool_calling: { tool_call_plugin: "ws/p" } },
        { ...options, openFileset },
      )
      expect(warnings).toEqual(["The tool call plugin 'ws/p' is left out: the operator of this server allows none."])
    },
  )

  it(
    "is refused if plugins are allowed and the plugin does not exist or is not one",
    verifies("models.tools.plugin-exists"),
    async () => {
      const { storage: plugin } = await makeCheckpoint({ files: { "README.md": "x", "src/plugin.py": "x" } })
      const { storage: other } = await makeCheckpoint({ files: { "README.md": "x" } })
      const openFileset: ModelMetadataOptions["openFileset"] = async ({ workspace, name }) =>
        workspace !== "ws" ? null : name === "plugin" ? plugin : other
      const allowed = { allowPlugins: true, openFileset }
      expect(await refusal({ tool_call_plugin: "ws/plugin" }, allowed)).toBeUndefined()
      expect((await refusal({ tool_call_plugin: "no/plugin" }, allowed))?.issues).toEqual([
        {
          loc: ["body", "metadata", "model", "tool_calling", "tool_call_plugin"],
          msg: "names the fileset 'no/plugin', which does not exist",
          type: "unknown_plugin",
          input: "no/plugin",
        },
      ])
      const empty = await refusal({ tool_call_plugin: "ws/other", chat_template: "{{" }, allowed)
      expect(empty?.issues.map(({ msg }) => msg)).toEqual([
        "can't be parsed: '{{' is not closed with '}}' (line 1)",
        "names the fileset 'ws/other', which holds no plugin: no file that ends in .py",
      ])
    },
  )
})
