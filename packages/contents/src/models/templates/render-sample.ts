import {
  runProgram,
  templateEngine,
  TemplateFailure,
  type EngineValue,
  type ParsedTemplate,
  type TemplateFault,
} from "@assay/templates"
import type { SampleConversation } from "./sample-conversations.ts"
import { templateGlobals } from "./template-globals.ts"

/** Characters of a text, or entries of a list, that a sample makes at the most: what doubles is stopped while it is small. */
const LARGEST = 1_000_000

/** Renders a conversation. Says what keeps it from being rendered, or null where nothing does. */
export function renderSample(
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
