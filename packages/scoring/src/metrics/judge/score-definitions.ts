import { valueText } from "../../rows/value-text.ts"
import { fieldsOf } from "@assay/json"
import {
  type AgreedReading,
  type JudgeAnswer,
  type JudgeScoreDefinition,
  type RubricEntry,
  type ScoreParserDefinition,
  createJudgeScoreReader,
  parseJsonPath,
} from "@assay/metrics"
import { type ScoreValue, invalidRequest } from "@assay/schemas"

/** A score that a judge gives. */
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
export function scoreDefinitions(scores: unknown, location: string): readonly NamedScore[] {
  const entries = Array.isArray(scores)
    ? scores.map((one) => [valueText(fieldsOf(one)["name"]), one] as const)
    : Object.entries(fieldsOf(scores))
  if (entries.length === 0) throw invalidRequest(location.split("."), "has no scores; name at least one.", "missing")
  return entries.map(([name, value]) => {
    if (name === "") throw invalidRequest(location.split("."), "has a score without a name; give it one.", "missing")
    return { name, definition: definitionOf(fieldsOf(value), `${location}.${name}`) }
  })
}

function definitionOf(value: Readonly<Record<string, unknown>>, location: string): JudgeScoreDefinition {
  const range = fieldsOf(value["range"])
  const minimum = value["minimum"] ?? range["minimum"]
  const maximum = value["maximum"] ?? range["maximum"]
  const type = value["type"] ?? (value["rubric"] === undefined ? "float" : "rubric")
  if (!isOneOf(type, TYPES)) {
    throw invalidRequest(
      [...location.split("."), "type"],
      `is ${JSON.stringify(type)}; use ${TYPES.join(", ")}.`,
      "enum",
      type,
    )
  }
  return {
    type,
    parser: parserOf(value["parser"], location),
    ...(value["rubric"] === undefined ? {} : { rubric: rubricOf(value["rubric"], location) }),
    ...(typeof minimum === "number" ? { minimum } : {}),
    ...(typeof maximum === "number" ? { maximum } : {}),
    ...(value["out_of_range"] === "clamp" ? { out_of_range: "clamp" } : {}),
  }
}

function rubricOf(value: unknown, location: string): NonNullable<JudgeScoreDefinition["rubric"]> {
  const entries = Array.isArray(value)
    ? value.map((one) => fieldsOf(one)).map(({ label, value }) => ({ label, value }))
    : Object.entries(fieldsOf(value)).map(([label, worth]) => ({ label, value: worth }))
  const isWhole = entries.every(({ label, value }) => typeof label === "string" && typeof value === "number")
  if (isWhole) return entries as readonly RubricEntry[]
  const rule = 'has a label without a value; write [{"label": "good", "value": 1}] or {"good": 1}.'
  throw invalidRequest([...location.split("."), "rubric"], rule, "value_error", value)
}

function parserOf(value: unknown, location: string): ScoreParserDefinition {
  const { type = "json", json_path: path, pattern, method } = fieldsOf(value)
  if (type === "json") return { type, ...(typeof path === "string" ? { json_path: path } : {}) }
  if (type === "regex" && typeof pattern === "string")
    return { type, pattern, method: method === "match" ? "match" : "search" }
  const rule =
    'is not a parser; write {"type": "json", "json_path": "$.score"} or {"type": "regex", "pattern": "SCORE: (\\\\d+)"}.'
  throw invalidRequest([...location.split("."), "parser"], rule, "value_error", value)
}

function isOneOf<Word extends string>(value: unknown, words: readonly Word[]): value is Word {
  return (words as readonly unknown[]).includes(value)
}

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
    if (steps.length === 0 || steps.length < path.length || !location(schema, steps, valueSchema(definition)))
      return undefined
  }
  return { type: "json_schema", json_schema: { name: "scores", schema } }
}

/** Adds the schema of a value at its path. Returns false if the path is already taken. */
function location(root: ObjectSchema, steps: readonly string[], value: object): boolean {
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

/** The value that was read of one score. */
interface ScoreReading {
  readonly value: ScoreValue
  /** The label, if the score has a rubric. */
  readonly label?: string
  /** Why there is no value. */
  readonly reason: AgreedReading<unknown>["reason"]
}

export interface ScoreReader {
  readonly name: string
  /** The labels of a rubric. */
  readonly labels?: readonly string[]
  /** The lowest and the highest possible value. Absent: they are not known. */
  readonly range?: readonly [low: number, high: number]
  readonly read: (answer: JudgeAnswer) => ScoreReading
}

/** Returns the range of values that are known; nothing if they do not span one. */
function rangeOf(values: readonly number[]): Pick<ScoreReader, "range"> {
  const low = Math.min(...values)
  const high = Math.max(...values)
  return low < high ? { range: [low, high] } : {}
}

/** Creates the reader of a score. @throws `invalid_request` as `createJudgeScoreReader` */
export function scoreReader({ name, definition }: NamedScore): ScoreReader {
  if (definition.type !== "rubric") {
    const read = createJudgeScoreReader(name, definition)
    const { type, minimum, maximum } = definition
    const range = type === "boolean" ? rangeOf([0, 1]) : rangeOf([minimum ?? Number.NaN, maximum ?? Number.NaN])
    return {
      name,
      ...range,
      read(answer) {
        const { value, reason } = read(answer)
        return { value: value ?? "NaN", reason }
      },
    }
  }
  const { rubric = {} } = definition
  const entries = Array.isArray(rubric)
    ? (rubric as readonly RubricEntry[])
    : Object.entries(rubric as Readonly<Record<string, number>>).map(([label, value]) => ({ label, value }))
  // Two labels may have the same value, so the position of the label is read instead.
  const locations = entries.map(({ label }, location) => ({ label, value: location }))
  const readLabelled = createJudgeScoreReader(name, { ...definition, rubric: locations })
  return {
    name,
    labels: entries.map(({ label }) => label),
    ...rangeOf(entries.map(({ value }) => value)),
    read(answer) {
      const { value, reason } = readLabelled(answer)
      const entry = value === null ? undefined : entries[value]
      return entry === undefined ? { value: "NaN", reason } : { value: entry.value, label: entry.label, reason }
    },
  }
}
