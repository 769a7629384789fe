import type { JudgeScoreDefinition } from "./judge-score-definition.ts"

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const YES: ReadonlySet<unknown> = new Set(["true", "yes", "1"])
const NO: ReadonlySet<unknown> = new Set(["false", "no", "0"])

/** The number that a found value stands for under its definition; NaN where it stands for none. */
export function judgeScoreValue(value: unknown, definition: JudgeScoreDefinition): number {
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
