import { invalidRequest } from "@assay/schemas"
import { createLinearPattern, type FoundGroup, type LinearPattern } from "../checks/create-linear-pattern.ts"
import { parseJsonPath } from "../json/json-path.ts"
import { namesHighestScore } from "./names-highest-score.ts"
import { type AgreedReading, agreedOf, type JudgeAnswer, readAgreed } from "./read-agreed.ts"
import { visibleText } from "./visible-text.ts"
import { removeLeadingReasoning } from "./remove-leading-reasoning.ts"

/** How one score is found in the answer of a judge. */
export type ScoreParserDefinition =
  | {
      readonly type: "json"
      /** Default: the name of the score. */
      readonly json_path?: string
    }
  | {
      readonly type: "regex"
      /**
       * A pattern in RE2 syntax. Its first group is the value, or the whole match if it has no group. If it matches several times, all
       * values must be the same.
       */
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

/** Reads the score in a judge's answer, or returns why there is none. */
export type JudgeScoreReader = (answer: JudgeAnswer) => AgreedReading<number>

/**
 * Creates a reader for one named score. It takes time linear in the length of the answer. JSON is found in code fences and within
 * prose, and may have the damage that `readLenientJson` accepts. If an answer states the score more than once, all values must be the
 * same: a judge quotes what it judges, and neither the first nor the last value is certainly its own. The maximum after a score, as in
 * `4/5`, is none. A boolean is not a number, and
 * a label that is not in the rubric, a number out of range, a part of a number or a word, and a fraction for an `int` are unreadable.
 * @throws `invalid_request` for a pattern or a path that can't be read, and for a rubric without labels
 */
export function createJudgeScoreReader(name: string, definition: JudgeScoreDefinition): JudgeScoreReader {
  checkRubric(name, definition)
  const { parser } = definition
  const read = (value: unknown) => judgeScoreValue(value, definition)
  if (parser.type === "json") {
    const path = parser.json_path === undefined ? [name] : parseJsonPath(parser.json_path)
    return (answer) => readAgreed(answer, path, read)
  }
  const isNumber = definition.type === "int" || definition.type === "float"
  const highest = definition.maximum ?? Number.NaN
  const pattern = createLinearPattern(parser.pattern, ["scores", name, "parser", "pattern"])
  const anchor = parser.method === "match" ? ("start" as const) : undefined
  const readGroup = (answer: string) => (found: FoundGroup) =>
    (isNumber ? isPartOfNumber(answer, found, highest) : isPartOfWord(answer, found)) ? undefined : read(found.value)
  return ({ text, isCut = false }) => {
    const answer = removeLeadingReasoning(visibleText(text))?.trim() ?? ""
    const found = pattern.firstGroups(answer, { most: MAX_MATCHES, anchor })
    const scores = found.filter((group) => !isNumber || !namesHighestScore(answer, group, highest))
    if (isCut && !isBegunWith(pattern, answer)) return { value: null, reason: "truncated" }
    return found.length < MAX_MATCHES
      ? agreedOf(scores.map(readGroup(answer)))
      : { value: null, reason: "contradictory" }
  }
}

/** Returns whether a truncated answer begins with a match that is not its end. A later match may be quoted, and a last one cut. */
function isBegunWith(pattern: LinearPattern, answer: string): boolean {
  const [first] = pattern.firstGroups(answer, { most: 1, anchor: "start" })
  return first?.value !== undefined && !answer.endsWith(first.value)
}

/**
 * Returns whether digits that a pattern found go on before or after them, have a sign, are an end of a range, or a score on another scale: `([1-5])` finds 1 in 10,
 * 4 in 4.5, 4½, -4 and 4-5, and 3 in 3/10.
 */
function isPartOfNumber(answer: string, { value = "", start, end }: FoundGroup, highest: number): boolean {
  const before = answer.slice(Math.max(0, start - 2), start)
  const after = answer.slice(end, end + MAX_SCALE)
  if (!/^[\d.]/.test(value) || !/\d/.test(value)) return false
  const scale = SCALE.exec(after)?.[1]
  if (scale !== undefined && !Number.isNaN(highest) && Number(scale) !== highest) return true
  return /(?:\d[.,–—-]?|(?:^|[\s:=(])[-−])$/.test(before) || GOES_ON.test(after)
}

/**
 * Returns whether a pattern found a part of a word: `GRADE: ([CPI])` finds C in `GRADE: Cannot tell`, `CORRECT` is in INCORRECT, and A in A-.
 * Letters that the pattern itself matches beside its group may be there, as in `GRADE: ([CPI])\w*`.
 */
function isPartOfWord(answer: string, { value = "", start, end, match }: FoundGroup): boolean {
  const before = match.start === start && /^[A-Za-z]/.test(value) ? answer.slice(Math.max(0, start - 2), start) : ""
  const after = match.end === end && /[A-Za-z]$/.test(value) ? answer.slice(end, end + 2) : ""
  return /[\p{Script=Latin}\d]-?$/u.test(before) || WORD_GOES_ON.test(after)
}

const WORD_GOES_ON = /^(?:\p{Script=Latin}|\d|['’-]\p{Script=Latin}|[+-](?:[\s.,;:)\]]|$))/u

const MAX_SCALE = 24
const GOES_ON = /^(?:[.,]?\d|\p{N}|['’]\d{3}|[eE][+-]?\d|\s?[-–—]\s?\d)/u
/** The highest score after a score, as in `3/10` and `3 out of 10`. */
const SCALE = /^[*`]{0,3}(?:\s?\/\s?|\s(?:out )?of\s)[*`]{0,3}(\d{1,9}(?:\.\d{1,9})?)/

/** Maximum number of matches of a pattern. An answer that states a score more often is not read. */
const MAX_MATCHES = 64

/** Creates a function that returns the score in a judge's answer, or NaN if it can't be read. See `createJudgeScoreReader`. */
export function createJudgeScoreParser(name: string, definition: JudgeScoreDefinition): (answer: string) => number {
  const read = createJudgeScoreReader(name, definition)
  return (answer) => read({ text: answer }).value ?? Number.NaN
}

function checkRubric(name: string, { type, rubric }: JudgeScoreDefinition): void {
  if (type !== "rubric" || Object.keys(rubric ?? {}).length > 0) return
  throw invalidRequest(["scores", name, "rubric"], "has no labels; give each label with its value.", "too_short")
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const YES: ReadonlySet<unknown> = new Set(["true", "yes", "1"])
const NO: ReadonlySet<unknown> = new Set(["false", "no", "0"])

/** Converts a found value to a number as its definition says. Undefined: it is not a score. */
function judgeScoreValue(value: unknown, definition: JudgeScoreDefinition): number | undefined {
  const score = scoreOf(value, definition)
  return Number.isNaN(score) ? undefined : score
}

function scoreOf(value: unknown, definition: JudgeScoreDefinition): number {
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
  // The text of a boolean is not a number: a rating of `true` is not valid.
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
