import {
  JINJA_FUNCTIONS,
  outerNames,
  parseTemplate,
  runProgram,
  templateEngine,
  TemplateFailure,
  type ParsedTemplate,
  type TemplateFault,
  type EngineValue,
} from "@assay/templates"
import {
  chatSamples,
  toolSamples,
  toolTurnSamples,
  templateGlobals,
  TOKEN_NAMES,
  type SampleConversation,
} from "./sample-conversations.ts"
import { unreadable, type TemplateReport, type TemplateTask } from "./template-report.ts"

/** The whitespace around tags is what chat templates are rendered with everywhere. */
const WHITESPACE = { lstrip_blocks: true, trim_blocks: true } as const

/** Parses the template and renders conversations with it. Runs for as long, and takes as much memory, as the template likes. */
export function examineTemplate({ template, tokens }: TemplateTask): TemplateReport {
  const parsed = parseTemplate(template, WHITESPACE)
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

/** What keeps the template from rendering any of `samples`; null where it renders one. */
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

/** Characters of a text, or entries of a list, that a sample makes at the most: what doubles is stopped while it is small. */
const LARGEST = 1_000_000

/** Renders a conversation. Says what keeps it from being rendered, or null where nothing does. */
function renderSample(
  template: ParsedTemplate,
  sample: SampleConversation,
  tokens: Readonly<Record<string, string>>,
): TemplateFault | null {
  const scope = templateEngine.createScope()
  for (const [name, value] of Object.entries({ ...templateGlobals(), ...tokens, ...sample })) scope.set(name, value)
  return runProgram(template, { scope, inspect: withinLimit }).fault
}

function withinLimit(result: EngineValue | undefined): EngineValue | undefined {
  const value = result?.value
  const size = typeof value === "string" || Array.isArray(value) ? value.length : 0
  if (size > LARGEST) {
    throw new TemplateFailure(`can't be rendered: it makes a text or a list of more than ${LARGEST} entries`)
  }
  return result
}
