import { invalidRequest } from "@assay/schemas"
import { createLinearPattern } from "../checks/create-linear-pattern.ts"
import { parseJsonPath, readJsonPath } from "../json/json-path.ts"
import { jsonInText } from "./json-in-text.ts"

/** How one score is found in the answer of a judge. */
export type ScoreParserDefinition =
  | {
      readonly type: "json"
      /** Default: the name of the score. */
      readonly json_path?: string
    }
  | {
      readonly type: "regex"
      /** A pattern in RE2 syntax. The first group of the first match is the value, or the whole match if there is no group. */
      readonly pattern: string
      /** `match` matches at the start of the answer, `search` anywhere. Default `search`. */
      readonly method?: "match" | "search"
    }

/** A label that a judge may give, and its value. */
export interface RubricEntry {
  readonly label: string
  readonly value: number
}

/** A score that a judge gives, as it is written in evaluation configurations. */
export interface JudgeScoreDefinition {
  readonly type: "int" | "float" | "boolean" | "rubric"
  /** The labels of a `rubric`, as a list or as an object of label → value. */
  readonly rubric?: readonly RubricEntry[] | Readonly<Record<string, number>>
  readonly minimum?: number
  readonly maximum?: number
  /** Whether a number beyond minimum or maximum is `unreadable` (NaN), or counts as the bound. Default `unreadable`. */
  readonly out_of_range?: "unreadable" | "clamp"
  readonly parser: ScoreParserDefinition
}

/** Returns the score in a judge's answer, or NaN if it can't be read. */
export type JudgeScoreParser = (answer: string) => number

/**
 * Creates a parser for one named score. It takes time linear in the length of the answer. JSON is found in code fences and
 * within prose. `true` is 1. A label that is not in the rubric, a number out of range and a fraction for an `int` are NaN.
 * @throws `invalid_request` for a pattern or a path that can't be read, and for a rubric without labels
 */
export function createJudgeScoreParser(name: string, definition: JudgeScoreDefinition): JudgeScoreParser {
  checkRubric(name, definition)
  const find = createFinder(name, definition.parser)
  return (answer) => {
    const found = find(answer)
    return found === undefined ? Number.NaN : judgeScoreValue(found, definition)
  }
}

function checkRubric(name: string, { type, rubric }: JudgeScoreDefinition): void {
  if (type !== "rubric" || Object.keys(rubric ?? {}).length > 0) return
  throw invalidRequest(["scores", name, "rubric"], "has no labels; give each label with its value.", "too_short")
}

function createFinder(name: string, parser: ScoreParserDefinition): (answer: string) => unknown {
  if (parser.type === "regex") {
    const pattern = createLinearPattern(parser.pattern, ["scores", name, "parser", "pattern"])
    return (answer) => pattern.firstGroup(answer, parser.method === "match" ? "start" : undefined)
  }
  const path = parser.json_path === undefined ? [name] : parseJsonPath(parser.json_path)
  return (answer) => {
    for (const value of jsonInText(answer)) {
      const found = readJsonPath(value, path)
      if (found !== undefined) return found
    }
    return undefined
  }
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const YES: ReadonlySet<unknown> = new Set(["true", "yes", "1"])
const NO: ReadonlySet<unknown> = new Set(["false", "no", "0"])

/** Converts a found value to a number as its definition says, or to NaN. */
function judgeScoreValue(value: unknown, definition: JudgeScoreDefinition): number {
  if (definition.type === "rubric") return labelValue(value, definition.rubric ?? {})
  if (definition.type === "boolean") return booleanValue(value)
  return inRange(numberValue(value, definition.type), definition)
}

function labelValue(value: unknown, rubric: NonNullable<JudgeScoreDefinition["rubric"]>): number {
  const entries: readonly (readonly [string, number])[] = Array.isArray(rubric)
    ? rubric.map(({ label, value }) => [label, value] as const)
    : Object.entries(rubric)
  const label = text(value)
  const same = entries.find(([name]) => name === label)
  const alike = same ?? entries.find(([name]) => name.trim().toLowerCase() === label.toLowerCase())
  return alike?.[1] ?? Number.NaN
}

function booleanValue(value: unknown): number {
  const word = text(value).toLowerCase()
  if (YES.has(word)) return 1
  return NO.has(word) ? 0 : Number.NaN
}

function numberValue(value: unknown, type: "int" | "float"): number {
  if (typeof value === "boolean") return value ? 1 : 0
  const number = NUMBER.test(text(value)) ? Number(text(value)) : Number.NaN
  return Number.isFinite(number) && (type === "float" || Number.isInteger(number)) ? number : Number.NaN
}

function inRange(value: number, definition: JudgeScoreDefinition): number {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = definition
  const nearest = Math.min(Math.max(value, minimum), maximum)
  return nearest === value || definition.out_of_range === "clamp" ? nearest : Number.NaN
}

function text(value: unknown): string {
  if (typeof value === "string") return value.trim()
  return typeof value === "number" || typeof value === "boolean" ? String(value) : ""
}
