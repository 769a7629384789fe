import {
  JINJA_FUNCTIONS,
  outerNames,
  parseChatTemplate,
  renderChatTemplate,
  type ParsedTemplate,
  type TemplateFault,
} from "@assay/templates"
import {
  chatSamples,
  toolSamples,
  toolTurnSamples,
  GLOBAL_NAMES,
  SAMPLE_DATE,
  TOKEN_NAMES,
  type SampleConversation,
} from "./sample-conversations.ts"
import { unreadable, type TemplateReport, type TemplateTask } from "./template-report.ts"

/** Parses a template and renders sample conversations. Time and memory are not limited here. */
export function examineTemplate({ template, tokens }: TemplateTask): TemplateReport {
  const parsed = parseChatTemplate(template)
  if (parsed.fault !== null) return unreadable(parsed.fault)
  const samples = chatSamples()
  const [sample] = samples
  const given = new Set([...Object.keys({ ...tokens, ...sample }), ...TOKEN_NAMES, ...GLOBAL_NAMES, ...JINJA_FUNCTIONS])
  const names = outerNames(parsed.template.program, parsed.template.lines)
  const tokensOrNames = { ...Object.fromEntries(TOKEN_NAMES.map((name) => [name, `<${name}>`])), ...tokens }
  const render = (some: readonly SampleConversation[]) => faultOf(parsed.template, some, tokensOrNames)
  return {
    fault: render(samples),
    toolFault: render(toolSamples()),
    toolTurnFault: render(toolTurnSamples()),
    readsTools: names.some(({ name }) => name === "tools"),
    unknownNames: names
      .filter(({ name, isOptional }) => !isOptional && !given.has(name))
      .map(({ name, line }) => ({ name, line })),
  }
}

/** Returns the fault that prevents rendering all of `samples`, or null if one of them can be rendered. */
function faultOf(
  template: ParsedTemplate,
  samples: readonly SampleConversation[],
  tokens: Readonly<Record<string, string>>,
): TemplateFault | null {
  const faults: TemplateFault[] = []
  for (const sample of samples) {
    const { fault } = renderChatTemplate(template, { ...tokens, ...sample }, SAMPLE_DATE)
    if (fault === null) return null
    faults.push(fault)
  }
  return faults.find(({ isGap }) => isGap) ?? faults[0] ?? null
}
