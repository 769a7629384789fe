import type { ModelSpec, ToolCallConfig, ToolCalling } from "@assay/schemas"
import type { ModelFamily } from "../architecture/model-families.ts"

/** What says how a model calls tools; the first that says something about a key wins. */
interface ToolCallingSources {
  /** `metadata.model.tool_calling` of the fileset. */
  readonly fileset: ToolCalling | undefined
  /** What the checkpoint says. */
  readonly checkpoint: { readonly chat_template: string | null; readonly tool_call_parser: string | null }
  /** The specification from before. */
  readonly earlier: Pick<ModelSpec, "chat_template" | "tool_call_config"> | null | undefined
}

export interface MergedToolCalling {
  readonly chat_template: string | null
  readonly tool_call_config: ToolCallConfig | null
}

/**
 * Merges key by key: the fileset's metadata over the checkpoint, and an earlier specification where both are silent.
 * Nothing empty counts as said.
 */
export function mergeToolCalling({ fileset, checkpoint, earlier }: ToolCallingSources): MergedToolCalling {
  const before = earlier?.tool_call_config
  const config = {
    tool_call_parser: said(fileset?.tool_call_parser, checkpoint.tool_call_parser, before?.tool_call_parser),
    tool_call_plugin: said(fileset?.tool_call_plugin, before?.tool_call_plugin),
    auto_tool_choice: fileset?.auto_tool_choice ?? before?.auto_tool_choice ?? null,
  }
  return {
    chat_template: said(fileset?.chat_template, checkpoint.chat_template, earlier?.chat_template),
    tool_call_config: Object.values(config).every((value) => value === null) ? null : config,
  }
}

function said(...values: readonly (string | null | undefined)[]): string | null {
  return values.find((value) => value !== undefined && value !== null && value !== "") ?? null
}

/**
 * Marks that templates put around tool calls, and vLLM's parsers for them; the first that is found counts. A model that
 * was trained further may write calls in another way than its family.
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

/** The parser for the tool calls of a model whose `template` reads `tools`; null where none is known. */
export function suggestParser(template: string, family: ModelFamily | undefined): string | null {
  return MARKS.find(([mark]) => mark.test(template))?.[1] ?? family?.parser ?? null
}
