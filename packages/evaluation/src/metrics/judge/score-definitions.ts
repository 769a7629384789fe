import type { JudgeScoreDefinition, RubricEntry, ScoreParserDefinition } from "@assay/metrics"
import { invalidRequest } from "@assay/schemas"
import { fieldsOf, textOf } from "../../rows/row-values.ts"

/** A score that a judge is asked for. */
export interface NamedScore {
  readonly name: string
  readonly definition: JudgeScoreDefinition
}

const TYPES = ["int", "float", "boolean", "rubric"] as const

/**
 * Reads `scores`: definitions by name, or a list of definitions with names. Without a `type`, a score with a rubric has the type
 * `rubric`, and any other `float`. Without a parser, its value is read from JSON under its name.
 * @throws `invalid_request`
 */
export function scoreDefinitions(scores: unknown, place: string): readonly NamedScore[] {
  const entries = Array.isArray(scores)
    ? scores.map((one) => [textOf(fieldsOf(one)["name"]), one] as const)
    : Object.entries(fieldsOf(scores))
  if (entries.length === 0) throw invalidRequest(place.split("."), "has no scores; name at least one.", "missing")
  return entries.map(([name, value]) => {
    if (name === "") throw invalidRequest(place.split("."), "has a score without a name; give it one.", "missing")
    return { name, definition: definitionOf(fieldsOf(value), `${place}.${name}`) }
  })
}

function definitionOf(value: Readonly<Record<string, unknown>>, place: string): JudgeScoreDefinition {
  const range = fieldsOf(value["range"])
  const [minimum, maximum] = [value["minimum"] ?? range["minimum"], value["maximum"] ?? range["maximum"]]
  const type = value["type"] ?? (value["rubric"] === undefined ? "float" : "rubric")
  if (!isOneOf(type, TYPES)) {
    throw invalidRequest(
      [...place.split("."), "type"],
      `is ${JSON.stringify(type)}; use ${TYPES.join(", ")}.`,
      "enum",
      type,
    )
  }
  return {
    type,
    parser: parserOf(value["parser"], place),
    ...(value["rubric"] === undefined ? {} : { rubric: rubricOf(value["rubric"], place) }),
    ...(typeof minimum === "number" ? { minimum } : {}),
    ...(typeof maximum === "number" ? { maximum } : {}),
    ...(value["out_of_range"] === "clamp" ? { out_of_range: "clamp" } : {}),
  }
}

function rubricOf(value: unknown, place: string): NonNullable<JudgeScoreDefinition["rubric"]> {
  const entries = Array.isArray(value)
    ? value.map((one) => fieldsOf(one)).map(({ label, value }) => ({ label, value }))
    : Object.entries(fieldsOf(value)).map(([label, worth]) => ({ label, value: worth }))
  const isWhole = entries.every(({ label, value }) => typeof label === "string" && typeof value === "number")
  if (isWhole) return entries as readonly RubricEntry[]
  const rule = 'has a label without a value; write [{"label": "good", "value": 1}] or {"good": 1}.'
  throw invalidRequest([...place.split("."), "rubric"], rule, "value_error", value)
}

function parserOf(value: unknown, place: string): ScoreParserDefinition {
  const { type = "json", json_path: path, pattern, method } = fieldsOf(value)
  if (type === "json") return { type, ...(typeof path === "string" ? { json_path: path } : {}) }
  if (type === "regex" && typeof pattern === "string")
    return { type, pattern, method: method === "match" ? "match" : "search" }
  const rule =
    'is not a parser; write {"type": "json", "json_path": "$.score"} or {"type": "regex", "pattern": "SCORE: (\\\\d+)"}.'
  throw invalidRequest([...place.split("."), "parser"], rule, "value_error", value)
}

function isOneOf<Word extends string>(value: unknown, words: readonly Word[]): value is Word {
  return (words as readonly unknown[]).includes(value)
}
