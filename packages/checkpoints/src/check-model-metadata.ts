import { AssayError, type ModelMetadata, type ValidationIssue } from "@assay/schemas"
import { formatTemplateFault } from "@assay/templates"
import { MAX_TEMPLATE_BYTES } from "./files/read-descriptions.ts"
import { runTemplateProcess } from "./templates/run-template-process.ts"
import { chatTemplateFault, chatTemplateWarnings } from "./templates/template-report.ts"
import { pluginFault, pluginNotAllowed, type OpenFileset } from "./tool-calling/resolve-tool-calling.ts"

type Loc = readonly (string | number)[]

export interface ModelMetadataOptions {
  /** Whether the operator allows plugins. If not, a plugin is dropped with a warning, without looking for it. */
  readonly allowPlugins: boolean
  readonly openFileset: OpenFileset
  /** Path of the metadata in the request. Default `body.metadata.model`. */
  readonly loc?: Loc | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks what the request schema can't check: that a chat template can be parsed and renders a conversation, with tools
 * if a parser is set; and that a plugin exists. Returns warnings.
 * @throws `invalid_request` with one issue per invalid key. The issue of a template has its line in `ctx.line`
 */
export async function checkModelMetadata(
  metadata: ModelMetadata,
  { allowPlugins, openFileset, loc = ["body", "metadata", "model"], signal }: ModelMetadataOptions,
): Promise<readonly string[]> {
  const { chat_template: template, tool_call_parser: parser, tool_call_plugin: plugin } = metadata.tool_calling ?? {}
  const at = (key: string) => [...loc, "tool_calling", key]
  const issues: ValidationIssue[] = []
  const warnings: string[] = []
  if (template !== undefined && template !== "") {
    const found = await templateIssue(template, Boolean(parser), at("chat_template"), signal)
    issues.push(...found.issues)
    warnings.push(...found.warnings)
  }
  if (plugin !== undefined && !allowPlugins) warnings.push(pluginNotAllowed(plugin))
  else if (plugin !== undefined) {
    const fault = await pluginFault(plugin, openFileset, signal)
    if (fault !== null) issues.push({ loc: at("tool_call_plugin"), msg: fault, type: "unknown_plugin", input: plugin })
  }
  const [first] = issues
  if (first === undefined) return warnings
  throw new AssayError("invalid_request", `${first.loc.join(".")}: ${first.msg}`, { issues })
}

async function templateIssue(template: string, withTools: boolean, loc: Loc, signal: AbortSignal | undefined) {
  const invalid = (msg: string, ctx: ValidationIssue["ctx"]) => ({
    issues: [{ loc: [...loc], msg, type: "invalid_chat_template", ...(ctx === undefined ? {} : { ctx }) }],
    warnings: [],
  })
  if (Buffer.byteLength(template) > MAX_TEMPLATE_BYTES) {
    return invalid(`is longer than ${MAX_TEMPLATE_BYTES} bytes`, { max_bytes: MAX_TEMPLATE_BYTES })
  }
  const report = await runTemplateProcess({ template, tokens: {} }, signal)
  const fault = chatTemplateFault(report, withTools)
  if (fault === null) return { issues: [], warnings: chatTemplateWarnings(report, withTools) }
  return invalid(formatTemplateFault(fault), fault.line === null ? undefined : { line: fault.line })
}
