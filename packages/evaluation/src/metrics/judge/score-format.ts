import { parseJsonPath, type JudgeScoreDefinition } from "@assay/metrics"
import type { NamedScore } from "./score-definitions.ts"

interface ObjectSchema {
  readonly type: "object"
  readonly properties: Record<string, object>
  readonly required: string[]
}

/**
 * Returns the `response_format` in which a judge can write these scores: a JSON schema that requires each score at its path and allows
 * other keys beside them. Undefined if a score is read by a pattern, or is inside a list.
 */
export function scoreFormat(scores: readonly NamedScore[]): object | undefined {
  const schema: ObjectSchema = { type: "object", properties: {}, required: [] }
  for (const { name, definition } of scores) {
    const { parser } = definition
    if (parser.type !== "json") return undefined
    const path = parser.json_path === undefined ? [name] : parseJsonPath(parser.json_path)
    const steps = path.filter((step) => typeof step === "string")
    if (steps.length === 0 || steps.length < path.length || !place(schema, steps, valueSchema(definition)))
      return undefined
  }
  return { type: "json_schema", json_schema: { name: "scores", schema } }
}

/** Adds the schema of a value at its path. Returns false if the path is already taken. */
function place(root: ObjectSchema, steps: readonly string[], value: object): boolean {
  let current = root
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1
    const known = Object.hasOwn(current.properties, step) ? current.properties[step] : undefined
    if (known !== undefined && (isLast || !("properties" in known))) return false
    const next = isLast ? value : (known ?? { type: "object", properties: {}, required: [] })
    current.properties[step] = next
    if (known === undefined) current.required.push(step)
    current = next as ObjectSchema
  }
  return true
}

function valueSchema({ type, rubric = {}, minimum, maximum }: JudgeScoreDefinition): object {
  if (type === "rubric") {
    const labels = Array.isArray(rubric) ? rubric.map(({ label }: { label: string }) => label) : Object.keys(rubric)
    return { type: "string", enum: labels }
  }
  if (type === "boolean") return { type: "boolean" }
  return {
    type: type === "int" ? "integer" : "number",
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  }
}
