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

/** The white space settings that every program uses for chat templates. */
const WHITESPACE = { lstrip_blocks: true, trim_blocks: true } as const

/** Parses a template and renders sample conversations. Time and memory are not limited here. */
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

/**
 * Maximum number of characters in a text, or entries in a list. It stops a value that keeps doubling while it is still
 * small.
 */
const MAX_ENTRIES = 1_000_000

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

function withinLimit(result: EngineValue | undefined): EngineValue | undefined {
  const value = result?.value
  const size = typeof value === "string" || Array.isArray(value) ? value.length : 0
  if (size > MAX_ENTRIES) {
    throw new TemplateFailure(`can't be rendered: it makes a text or a list of more than ${MAX_ENTRIES} entries`)
  }
  return result
}
