import { fieldsOf, isJsonObject, listOf } from "@assay/json"
import { unwrapJson } from "./embedded-json.ts"

/** The definition of a tool that a model was given. */
export interface TraceTool {
  readonly name: string
  readonly description: string | undefined
  /** A JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>> | undefined
}

/** Definitions of one request. */
const MAX_TOOLS = 128

/** Reads definitions of tools: a list, or JSON of it, in the forms of OpenAI, Anthropic, the AI SDK and OpenInference. */
export function readTools(value: unknown): readonly TraceTool[] {
  return listOf(unwrapJson(value)).slice(0, MAX_TOOLS).flatMap(toolOf)
}

function toolOf(given: unknown): readonly TraceTool[] {
  const outer = fieldsOf(unwrapJson(given))
  const schema = unwrapJson(fieldsOf(outer["tool"])["json_schema"] ?? outer["json_schema"])
  const value = isJsonObject(schema) ? schema : outer
  const inner = fieldsOf(value["function"] ?? value)
  const { name, description } = inner
  if (typeof name !== "string" || name === "") return []
  const parameters = unwrapJson(inner["parameters"] ?? inner["input_schema"] ?? inner["inputSchema"])
  return [
    {
      name,
      description: typeof description === "string" ? description : undefined,
      parameters: isJsonObject(parameters) ? parameters : undefined,
    },
  ]
}
