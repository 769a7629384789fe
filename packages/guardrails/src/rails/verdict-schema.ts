import type { JudgeFamily } from "@assay/schemas"
import type { RailPlace } from "../verdict-reading.ts"

const SAFETY = { type: "string", enum: ["safe", "unsafe"] }

/** The `response_format` in which a judge of a JSON family is asked to answer; null for families that are not JSON. */
export function verdictSchema(family: JudgeFamily | null, place: RailPlace): Readonly<Record<string, unknown>> | null {
  if (family === "user-safety-json") {
    const sides = place === "input" ? ["User Safety"] : ["User Safety", "Response Safety"]
    const properties = Object.fromEntries(sides.map((side) => [side, SAFETY]))
    return responseFormat({ ...properties, "Safety Categories": { type: "string" } }, sides)
  }
  if (family === "flagged-json") return responseFormat({ flagged: { type: "boolean" } }, ["flagged"])
  return null
}

function responseFormat(properties: Readonly<Record<string, unknown>>, required: readonly string[]) {
  const schema = { type: "object", properties, required, additionalProperties: false }
  return { type: "json_schema", json_schema: { name: "verdict", schema } }
}
