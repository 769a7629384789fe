import { formatTemplateFault, type TemplateFault } from "@assay/templates"

export interface TemplateTask {
  readonly template: string
  /** The tokens that the tokenizer gives, by name. */
  readonly tokens: Readonly<Record<string, string>>
}

/** What there is to say about a chat template. */
export interface TemplateReport {
  /** Why it can't be parsed, or renders no conversation. */
  readonly fault: TemplateFault | null
  /** Why it renders no conversation with tools. */
  readonly toolFault: TemplateFault | null
  /** Why it renders no conversation in which a tool was called. */
  readonly toolTurnFault: TemplateFault | null
  /** Whether it reads `tools`. */
  readonly readsTools: boolean
  /** Names that it reads, that nobody gives, and that it does not ask for first. */
  readonly unknownNames: readonly { readonly name: string; readonly line: number }[]
}

/** The report of a template that can't be looked into. */
export function unreadable(fault: TemplateFault): TemplateReport {
  return { fault, toolFault: fault, toolTurnFault: fault, readsTools: false, unknownNames: [] }
}

/** What keeps a template from being used, with tools where a parser of tool calls is set; null where nothing does. */
export function chatTemplateFault(report: TemplateReport, withTools: boolean): TemplateFault | null {
  const fault = withTools ? report.toolFault : report.fault
  return fault === null || fault.isGap ? null : fault
}

/** What is worth knowing of a template that can be used. */
export function chatTemplateWarnings(report: TemplateReport, withTools: boolean): readonly string[] {
  const { fault, toolFault, toolTurnFault, readsTools, unknownNames } = report
  const tried = withTools ? toolFault : fault
  if (tried !== null) return [`The chat template can't be tried out here: it ${formatTemplateFault(tried)}.`]
  const names = unknownNames.map(({ name, line }) => `'${name}' (line ${line})`).join(", ")
  return [
    ...(names === "" ? [] : [`The chat template reads names that nobody gives, and finds nothing there: ${names}.`]),
    ...(withTools && !readsTools ? ["A parser of tool calls is set, but the chat template never reads 'tools'."] : []),
    ...(withTools ? failing("without tools", fault) : []),
    ...(withTools ? failing("once a tool was called", toolTurnFault) : []),
  ]
}

function failing(when: string, fault: TemplateFault | null): readonly string[] {
  return fault === null || fault.isGap ? [] : [`The chat template fails ${when}: it ${formatTemplateFault(fault)}.`]
}
