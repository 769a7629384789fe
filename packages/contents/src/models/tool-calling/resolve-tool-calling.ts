import { invalidRequest, type ModelMetadata, type ModelSpec } from "@assay/schemas"
import { formatTemplateFault } from "@assay/templates"
import type { ModelFamily } from "../architecture/model-families.ts"
import { MAX_TEMPLATE_BYTES } from "../files/read-descriptions.ts"
import { runTemplateProcess } from "../templates/run-template-process.ts"
import { chatTemplateFault, chatTemplateWarnings } from "../templates/template-report.ts"
import type { CheckpointTemplate } from "./checkpoint-template.ts"
import { pluginFault, pluginNotAllowed, type OpenFileset } from "./find-plugin.ts"
import { mergeToolCalling, suggestParser, type MergedToolCalling } from "./merge-tool-calling.ts"

export interface ToolCallingOptions {
  readonly metadata?: ModelMetadata | undefined
  readonly earlier?: ModelSpec | null | undefined
  readonly allowPlugins?: boolean | undefined
  readonly openFileset?: OpenFileset | undefined
  readonly signal?: AbortSignal | undefined
}

/** What the checkpoint says about tool calling. */
export interface CheckpointTools {
  readonly template: CheckpointTemplate
  readonly tokens: Readonly<Record<string, string>>
  readonly family: ModelFamily | undefined
}

export interface ResolvedToolCalling extends MergedToolCalling {
  readonly warnings: readonly string[]
}

/** Path of the fileset's template, for errors during an analysis. */
const TEMPLATE_LOC = ["fileset", "metadata", "model", "tool_calling", "chat_template"]

/**
 * Merges the chat and tool settings of checkpoint, fileset and previous specification, and tests the chat template.
 * @throws `invalid_request` for an unusable chat template of the fileset. An unusable template of the checkpoint is a
 * warning
 */
export async function resolveToolCalling(
  { template: checkpointsOwn, tokens, family }: CheckpointTools,
  options: ToolCallingOptions,
): Promise<ResolvedToolCalling> {
  const { metadata, earlier, signal } = options
  const fileset = metadata?.tool_calling
  const own = withinLimit(checkpointsOwn)
  const merge = (tool_call_parser: string | null) =>
    mergeToolCalling({ fileset, checkpoint: { chat_template: own.text, tool_call_parser }, earlier })
  const { chat_template: template } = merge(null)
  if (template === null) return withPluginChecked({ ...merge(null), warnings: own.warnings }, options)
  const report = await runTemplateProcess({ template, tokens }, signal)
  const canCallTools = report.readsTools && chatTemplateFault(report, true) === null
  const merged = merge(canCallTools ? suggestParser(template, family) : null)
  const withTools = merged.tool_call_config?.tool_call_parser != null
  const fault = chatTemplateFault(report, withTools)
  if (fault !== null && template === fileset?.chat_template) {
    throw invalidRequest(TEMPLATE_LOC, formatTemplateFault(fault), "invalid_chat_template")
  }
  const warnings = [
    ...own.warnings,
    ...(fault === null
      ? chatTemplateWarnings(report, withTools)
      : [`The checkpoint's chat template ${formatTemplateFault(fault)}.`]),
  ]
  return withPluginChecked({ ...merged, warnings }, options)
}

function withinLimit(own: CheckpointTemplate): CheckpointTemplate {
  if (own.text === null || Buffer.byteLength(own.text) <= MAX_TEMPLATE_BYTES) return own
  return { text: null, warnings: [`The chat template is left out: it is longer than ${MAX_TEMPLATE_BYTES} bytes.`] }
}

/** Removes a plugin that is not allowed or does not exist. */
async function withPluginChecked(
  resolved: ResolvedToolCalling,
  { allowPlugins = false, openFileset, signal }: ToolCallingOptions,
): Promise<ResolvedToolCalling> {
  const config = resolved.tool_call_config
  if (config === null || config.tool_call_plugin === null) return resolved
  const plugin = config.tool_call_plugin
  const warning = await pluginWarning()
  if (warning === null) return resolved
  const { tool_call_parser, auto_tool_choice } = config
  const isEmpty = tool_call_parser === null && auto_tool_choice === null
  return {
    ...resolved,
    tool_call_config: isEmpty ? null : { tool_call_parser, tool_call_plugin: null, auto_tool_choice },
    warnings: [...resolved.warnings, warning],
  }

  async function pluginWarning(): Promise<string | null> {
    if (!allowPlugins || openFileset === undefined) return pluginNotAllowed(plugin)
    const fault = await pluginFault(plugin, openFileset, signal)
    return fault === null ? null : `The tool call plugin is left out: it ${fault}.`
  }
}
