import {
  invalidRequest,
  type ModelMetadata,
  type ModelSpec,
  type ToolCallConfig,
  type ToolCalling,
} from "@assay/schemas"
import type { Storage } from "@assay/storage"
import { formatTemplateFault } from "@assay/templates"
import type { ModelFamily } from "../architecture/model-families.ts"
import { MAX_TEMPLATE_BYTES } from "../files/read-descriptions.ts"
import { runTemplateProcess } from "../templates/run-template-process.ts"
import { chatTemplateFault, chatTemplateWarnings, type TemplateReport } from "../templates/template-report.ts"
import type { CheckpointTemplate } from "./checkpoint-template.ts"

export interface ToolCallingOptions {
  readonly metadata?: ModelMetadata | undefined
  readonly earlier?: ModelSpec | null | undefined
  readonly allowPlugins?: boolean | undefined
  readonly openFileset?: OpenFileset | undefined
  readonly signal?: AbortSignal | undefined
}

/** The settings for tool calling that the checkpoint contains. */
interface CheckpointTools {
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
  const toolTemplate = template === own.text ? (own.toolText ?? template) : template
  const report = await examine({ template, toolTemplate, tokens }, signal)
  const canCallTools = report.readsTools && chatTemplateFault(report, true) === null
  const merged = merge(canCallTools ? suggestParser(toolTemplate, family) : null)
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

interface ExaminedTemplates {
  readonly template: string
  /** The template of conversations with tools. */
  readonly toolTemplate: string
  readonly tokens: Readonly<Record<string, string>>
}

/** Examines a template, and the one for tools if it is another one. */
async function examine(
  { template, toolTemplate, tokens }: ExaminedTemplates,
  signal: AbortSignal | undefined,
): Promise<TemplateReport> {
  const report = await runTemplateProcess({ template, tokens }, signal)
  if (toolTemplate === template) return report
  const { toolFault, toolTurnFault, readsTools } = await runTemplateProcess({ template: toolTemplate, tokens }, signal)
  return { ...report, toolFault, toolTurnFault, readsTools }
}

function withinLimit(own: CheckpointTemplate): CheckpointTemplate {
  const isTooLong = [own.text, own.toolText].some((text) => Buffer.byteLength(text ?? "") > MAX_TEMPLATE_BYTES)
  if (!isTooLong) return own
  const warning = `The chat template is left out: it is longer than ${MAX_TEMPLATE_BYTES} bytes.`
  return { text: null, toolText: null, warnings: [warning] }
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

/** Opens the fileset of an address with the caller's rights. Returns null if it does not exist. */
export type OpenFileset = (address: { readonly workspace: string; readonly name: string }) => Promise<Storage | null>

/** Returns why `reference` does not name a fileset with a plugin, as the end of a sentence. Returns null if it does. */
export async function pluginFault(
  reference: string,
  openFileset: OpenFileset,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const [workspace = "", name = ""] = reference.split("/")
  const storage = await openFileset({ workspace, name })
  if (storage === null) return `names the fileset '${reference}', which does not exist`
  for await (const file of storage.list({ signal })) {
    if (file.path.endsWith(".py")) return null
  }
  return `names the fileset '${reference}', which holds no plugin: no file that ends in .py`
}

/** Returns the warning about a plugin that the operator does not allow. */
export function pluginNotAllowed(plugin: string): string {
  return `The tool call plugin '${plugin}' is left out: the operator of this server allows none.`
}

/** The sources of tool-calling settings. For each key, the first source that has a value is used. */
interface ToolCallingSources {
  /** `metadata.model.tool_calling` of the fileset. */
  readonly fileset: ToolCalling | undefined
  /** The settings of the checkpoint. */
  readonly checkpoint: { readonly chat_template: string | null; readonly tool_call_parser: string | null }
  /** The previous specification. */
  readonly earlier: Pick<ModelSpec, "chat_template" | "tool_call_config"> | null | undefined
}

interface MergedToolCalling {
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
