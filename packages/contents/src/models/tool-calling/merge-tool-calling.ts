import type { ModelSpec, ToolCallConfig, ToolCalling } from "@assay/schemas"
import type { ModelFamily } from "../architecture/model-families.ts"

/** The sources of tool-calling settings. For each key, the first source that has a value is used. */
interface ToolCallingSources {
  /** `metadata.model.tool_calling` of the fileset. */
  readonly fileset: ToolCalling | undefined
  /** The settings of the checkpoint. */
  readonly checkpoint: { readonly chat_template: string | null; readonly tool_call_parser: string | null }
  /** The previous specification. */
  readonly earlier: Pick<ModelSpec, "chat_template" | "tool_call_config"> | null | undefined
}

export interface MergedToolCalling {
  readonly chat_template: string | null
  readonly tool_call_config: ToolCallConfig | null
}

/**
 * Merges the settings key by key: first the fileset's metadata, then the checkpoint, then the previous specification.
 * Empty values are ignored.
 */
export function mergeToolCalling({ fileset, checkpoint, earlier }: ToolCallingSources): MergedToolCalling {
  const before = earlier?.tool_call_config
  const config = {
    tool_call_parser: firstGiven(fileset?.tool_call_parser, checkpoint.tool_call_parser, before?.tool_call_parser),
    tool_call_plugin: firstGiven(fileset?.tool_call_plugin, before?.tool_call_plugin),
    auto_tool_choice: fileset?.auto_tool_choice ?? before?.auto_tool_choice ?? null,
  }
  return {
    chat_template: firstGiven(fileset?.chat_template, checkpoint.chat_template, earlier?.chat_template),
    tool_call_config: Object.values(config).every((value) => value === null) ? null : config,
  }
}

function firstGiven(...values: readonly (string | null | undefined)[]): string | null {
  return values.find((value) => value !== undefined && value !== null && value !== "") ?? null
}

/**
 * Markers around tool calls in templates, with vLLM's parsers for them. The first match is used. A fine-tuned model may
 * write calls differently from its family.
 */
const MARKS: readonly (readonly [mark: RegExp, parser: string])[] = [
  [/<arg_key>/, "glm45"],
  [/<function=/, "qwen3_coder"],
  [/\[TOOL_CALLS\]/, "mistral"],
  [/<\|tool_calls_section_begin\|>/, "kimi_k2"],
  [/<\|start\|>assistant<\|channel\|>|<\|channel\|>commentary/, "openai"],
  [/<tool_call>/, "hermes"],
  [/<\|python_tag\|>/, "llama3_json"],
]

/** Returns the tool call parser for a model whose `template` uses `tools`, or null if it is unknown. */
export function suggestParser(template: string, family: ModelFamily | undefined): string | null {
  return MARKS.find(([mark]) => mark.test(template))?.[1] ?? family?.parser ?? null
}
