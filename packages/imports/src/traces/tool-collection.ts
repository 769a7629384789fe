import { fieldsOf } from "@assay/json"
import { type ObservedSpan, toolName, type TraceTurn } from "@assay/traces"

/** The tools of all conversations, as an evaluation file defines them. */
export interface ToolCollection {
  add(turns: readonly TraceTurn[], spans: readonly ObservedSpan[]): void
  list(): readonly object[]
  /** Tools that are too many for a file. */
  leftOut(): number
  /** Tools whose parameters are those of their calls, because the traces do not define them. */
  guessed(): number
}

/** Tools of an evaluation file. */
const MAX_TOOLS = 128
const MAX_KEYS = 100

interface CollectedTool {
  description: string | undefined
  parameters: Readonly<Record<string, unknown>> | undefined
  readonly keys: Set<string>
}

export function createToolCollection(): ToolCollection {
  const tools = new Map<string, CollectedTool>()
  const missed = new Set<string>()
  const get = (written: string): CollectedTool | undefined => {
    const name = toolName(written)
    const known = tools.get(name)
    if (known !== undefined) return known
    if (tools.size >= MAX_TOOLS) {
      if (missed.size < 10_000) missed.add(name)
      return undefined
    }
    const tool = { description: undefined, parameters: undefined, keys: new Set<string>() }
    tools.set(name, tool)
    return tool
  }
  return {
    add(turns, spans) {
      for (const { name, description, parameters } of spans.flatMap((span) => span.tools)) {
        const tool = get(name)
        if (tool === undefined) continue
        tool.description ??= description
        tool.parameters ??= parameters
      }
      for (const { name, arguments: args } of turns.flatMap(({ calls }) => calls)) {
        const tool = get(name)
        for (const key of Object.keys(fieldsOf(args))) if ((tool?.keys.size ?? MAX_KEYS) < MAX_KEYS) tool?.keys.add(key)
      }
    },
    list: () => [...tools].map(([name, tool]) => definitionOf(name, tool)),
    leftOut: () => missed.size,
    guessed: () => [...tools.values()].filter(({ parameters }) => parameters === undefined).length,
  }
}

function definitionOf(name: string, { description, parameters, keys }: CollectedTool): object {
  const known = parameters ?? { type: "object", properties: Object.fromEntries([...keys].map((key) => [key, {}])) }
  return {
    name,
    ...(description === undefined ? {} : { description }),
    parameters: known,
    answers: `{{ item.tool_answers[${JSON.stringify(name)}] | default([]) }}`,
  }
}
