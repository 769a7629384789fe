import { isEngineGap } from "./engine-gaps.ts"
import type { ParsedTemplate } from "./parse-template.ts"
import type { SampleConversation } from "./sample-conversations.ts"
import type { SyntaxNode } from "./syntax-node.ts"
import { templateFault, type TemplateFault } from "./template-fault.ts"
import { templateEngine } from "./template-engine.ts"
import { templateGlobals } from "./template-globals.ts"

/** Characters of a text, or entries of a list, that a sample makes at the most: what doubles is stopped while it is small. */
const LARGEST = 1_000_000

/** Renders a conversation. Says what keeps it from being rendered, or null where nothing does. */
export function renderSample(
  { program, lines }: ParsedTemplate,
  sample: SampleConversation,
  tokens: Readonly<Record<string, string>>,
): TemplateFault | null {
  const globals = templateEngine.createScope()
  for (const [name, value] of Object.entries({ ...templateGlobals(), ...tokens, ...sample })) globals.set(name, value)
  const interpreter = templateEngine.createInterpreter(globals)
  const evaluate = interpreter.evaluate.bind(interpreter)
  let failure: { readonly error: unknown; readonly node: SyntaxNode | undefined } | undefined
  // Every node is evaluated through this one: the first that an error leaves is where it arose.
  interpreter.evaluate = (node, scope) => {
    try {
      return withinLimit(evaluate(node, scope))
    } catch (error) {
      if (failure?.error !== error) failure = { error, node }
      throw error
    }
  }
  try {
    interpreter.run(program)
    return null
  } catch (error) {
    const node = failure?.node
    const text = textOf(error)
    return templateFault(node === undefined ? null : (lines.get(node) ?? null), text, isEngineGap(text, node))
  }
}

function withinLimit<T>(result: T): T {
  if (typeof result !== "object" || result === null || !("value" in result)) return result
  const { value } = result
  const size = typeof value === "string" || Array.isArray(value) ? value.length : 0
  if (size > LARGEST) throw new Error(`it makes a text or a list of more than ${LARGEST} entries`)
  return result
}

function textOf(error: unknown): string {
  if (error instanceof RangeError) return "can't be rendered: it goes too deep, or makes a text that is too long"
  const message = error instanceof Error ? error.message : String(error)
  return message.startsWith("raises ") ? message : `can't be rendered: ${message}`
}
