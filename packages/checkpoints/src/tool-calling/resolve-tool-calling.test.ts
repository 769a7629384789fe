import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { mergeToolCalling } from "./resolve-tool-calling.ts"

const checkpoint = { chat_template: "of the checkpoint", tool_call_parser: "hermes" }
const earlier = {
  chat_template: "from before",
  tool_call_config: { tool_call_parser: "mistral", tool_call_plugin: "ws/before", auto_tool_choice: true },
}
const nothing = { chat_template: null, tool_call_parser: null }

describe("tool calling settings", () => {
  it(
    "are taken from the fileset, then the checkpoint, then the earlier specification, key by key",
    verifies("brief.metadata.merged", "models.tools.merge"),
    () => {
      const fileset = { chat_template: "of the fileset", tool_call_parser: "llama3_json", auto_tool_choice: false }
      expect(mergeToolCalling({ fileset, checkpoint, earlier })).toEqual({
        chat_template: "of the fileset",
        tool_call_config: { tool_call_parser: "llama3_json", tool_call_plugin: "ws/before", auto_tool_choice: false },
      })
      expect(mergeToolCalling({ fileset: { auto_tool_choice: true }, checkpoint, earlier: null })).toEqual({
        chat_template: "of the checkpoint",
        tool_call_config: { tool_call_parser: "hermes", tool_call_plugin: null, auto_tool_choice: true },
      })
      expect(mergeToolCalling({ fileset: undefined, checkpoint: nothing, earlier })).toEqual(earlier)
    },
  )

  it("are null if no source has a value other than an empty text", () => {
    const empty = { chat_template: null, tool_call_config: null }
    expect(mergeToolCalling({ fileset: undefined, checkpoint: nothing, earlier: undefined })).toEqual(empty)
    const blank = { chat_template: "", tool_call_parser: "" }
    expect(mergeToolCalling({ fileset: blank, checkpoint: nothing, earlier: null })).toEqual(empty)
    expect(mergeToolCalling({ fileset: blank, checkpoint, earlier: null }).chat_template).toBe("of the checkpoint")
  })
})
