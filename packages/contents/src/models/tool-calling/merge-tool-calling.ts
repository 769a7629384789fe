import type { ModelSpec, ToolCallConfig, ToolCalling } from "@assay/schemas"

/** What says how a model calls tools; the first that says something about a key wins. */
export interface ToolCallingSources {
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
