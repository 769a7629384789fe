import { formatTemplateFault, type TemplateFault } from "@assay/templates"
import type { TemplateReport } from "./examine-template.ts"

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
