import {
  JINJA_FUNCTIONS,
  outerNames,
  parseTemplate,
  runProgram,
  templateEngine,
  type ParsedTemplate,
  type TemplateFault,
} from "@assay/templates"
import { CHAT_WHITESPACE, withinLimit } from "./chat-limits.ts"
import {
  chatSamples,
  toolSamples,
  toolTurnSamples,
  templateGlobals,
  TOKEN_NAMES,
  type SampleConversation,
} from "./sample-conversations.ts"
import { unreadable, type TemplateReport, type TemplateTask } from "./template-report.ts"

/** Parses a template and renders sample conversations. Time and memory are not limited here. */
export function examineTemplate({ template, tokens }: TemplateTask): TemplateReport {
  const parsed = parseTemplate(template, CHAT_WHITESPACE)
  if (parsed.fault !== null) return unreadable(parsed.fault)
  const samples = chatSamples()
  const [sample] = samples
  const given = new Set([
    ...Object.keys({ ...templateGlobals(), ...tokens, ...sample }),
    ...TOKEN_NAMES,
    ...JINJA_FUNCTIONS,
  ])
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
    const fault = renderSample(template, sample, tokens)
    if (fault === null) return null
    faults.push(fault)
  }
  return faults.find(({ isGap }) => isGap) ?? faults[0] ?? null
}

/** Renders a conversation. Returns the fault, or null. */
function renderSample(
  template: ParsedTemplate,
  sample: SampleConversation,
  tokens: Readonly<Record<string, string>>,
): TemplateFault | null {
  const scope = templateEngine.createScope()
  for (const [name, value] of Object.entries({ ...templateGlobals(), ...tokens, ...sample })) scope.set(name, value)
  return runProgram(template, { scope, inspect: withinLimit }).fault
}
