import { formatTemplateFault, type TemplateFault } from "@assay/templates"
import type { SampleConversation } from "./sample-conversations.ts"

export interface TemplateTask {
  readonly template: string
  /** The tokens that the tokenizer defines, by name. */
  readonly tokens: Readonly<Record<string, string>>
}

/** The work of the process for templates: it examines the template, or renders a conversation if one is given. */
export interface ProcessTask extends TemplateTask {
  readonly conversation?: SampleConversation
}

/** The result of examining a chat template. */
export interface TemplateReport {
  /** Why it can't be parsed or can't render a conversation. */
  readonly fault: TemplateFault | null
  /** Why it can't render a conversation with tools. */
  readonly toolFault: TemplateFault | null
  /** Why it can't render a conversation with a tool call. */
  readonly toolTurnFault: TemplateFault | null
  /** Whether it reads `tools`. */
  readonly readsTools: boolean
  /** Undefined names that the template uses without testing whether they are defined. */
  readonly unknownNames: readonly { readonly name: string; readonly line: number }[]
}

/** Returns the report on a template that can't be examined. */
export function unreadable(fault: TemplateFault): TemplateReport {
  return { fault, toolFault: fault, toolTurnFault: fault, readsTools: false, unknownNames: [] }
}

/** Returns the fault that makes a template unusable, with tools if a tool call parser is set, or null. */
export function chatTemplateFault(report: TemplateReport, withTools: boolean): TemplateFault | null {
  const fault = withTools ? report.toolFault : report.fault
  return fault === null || fault.isGap ? null : fault
}

/** Returns warnings about a usable template. */
export function chatTemplateWarnings(report: TemplateReport, withTools: boolean): readonly string[] {
  const { fault, toolFault, toolTurnFault, readsTools, unknownNames } = report
  const tried = withTools ? toolFault : fault
  if (tried !== null) return [`The chat template can't be tested here: it ${formatTemplateFault(tried)}.`]
  const names = unknownNames.map(({ name, line }) => `'${name}' (line ${line})`).join(", ")
  return [
    ...(names === "" ? [] : [`The chat template uses undefined names: ${names}.`]),
    ...(withTools && !readsTools ? ["A parser of tool calls is set, but the chat template never reads 'tools'."] : []),
    ...(withTools ? failing("without tools", fault) : []),
    ...(withTools ? failing("after a tool call", toolTurnFault) : []),
  ]
}

function failing(when: string, fault: TemplateFault | null): readonly string[] {
  return fault === null || fault.isGap ? [] : [`The chat template fails ${when}: it ${formatTemplateFault(fault)}.`]
}
