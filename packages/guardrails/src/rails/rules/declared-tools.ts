import { fieldsOf, isJsonObject, listOf } from "@assay/json"

/** A tool that the model may call. */
interface DeclaredTool {
  readonly name: string
  /** Only the arguments of functions have a schema here. */
  readonly isFunction: boolean
  /** The JSON Schema of its arguments. Null: it accepts none. */
  readonly parameters: Readonly<Record<string, unknown>> | null
}

/** The tools of a request by name. A name that occurs twice is in `repeated`: nobody can say which of them is called. */
export interface DeclaredTools {
  readonly byName: ReadonlyMap<string, DeclaredTool>
  readonly repeated: ReadonlySet<string>
}

/** Reads `tools` and the older `functions` of a request for a chat. Entries without a name and type are left out. */
export function declaredTools({ tools, functions }: Readonly<Record<string, unknown>>): DeclaredTools {
  const all = [
    ...listOf(tools).flatMap(readTool),
    ...listOf(functions).flatMap((one) => readTool({ type: "function", function: one })),
  ]
  const byName = new Map<string, DeclaredTool>()
  const repeated = new Set<string>()
  for (const tool of all) {
    if (byName.has(tool.name)) repeated.add(tool.name)
    byName.set(tool.name, tool)
  }
  return { byName, repeated }
}

function readTool(tool: unknown): readonly DeclaredTool[] {
  const { type, function: declared, custom } = fieldsOf(tool)
  const isFunction = isJsonObject(declared)
  const { name = type, parameters } = isFunction ? declared : fieldsOf(custom)
  if (typeof name !== "string" || name === "") return []
  return [{ name, isFunction, parameters: isJsonObject(parameters) ? parameters : null }]
}

/** Keywords by which a schema accepts arguments. */
const CHANNELS = ["properties", "additionalProperties", "patternProperties", "anyOf", "oneOf", "allOf", "$ref"] as const

/** Returns whether a schema names no argument, as `{"type": "object", "properties": {}}`, so that a call may have none. */
export function acceptsNone(parameters: Readonly<Record<string, unknown>>): boolean {
  return CHANNELS.every((keyword) => {
    const value = parameters[keyword]
    return value === undefined || value === false || (isJsonObject(value) && Object.keys(value).length === 0)
  })
}
