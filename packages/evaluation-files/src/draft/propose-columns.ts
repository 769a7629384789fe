import { isExactNumber } from "@assay/json"
import { bareName, COLUMN_NAMES } from "./column-names.ts"
import type { Columns } from "./columns.ts"

/** The probable purposes of the columns of a file. */
export interface Proposal {
  /** The column with what a model is asked. */
  readonly question: string | undefined
  /** The column with the expected answer. */
  readonly expected: string | undefined
  /** The column with an answer that was given. */
  readonly output: string | undefined
  /** The columns that were chosen by their values, because no name says what they are for. */
  readonly guessed: readonly string[]
}

/**
 * Proposes what each column is for: by its name, then by words of its name. If no name says what is asked, it is the column with the longest texts,
 * and the expected answer is the one with the shortest texts of the others.
 */
export function proposeColumns(columns: Columns): Proposal {
  const taken = new Set<string>()
  const take = (name: string | undefined) => {
    if (name !== undefined) taken.add(name)
    return name
  }
  const free = () => [...columns.keys()].filter((name) => !taken.has(name))
  const named = (purpose: keyof typeof COLUMN_NAMES) => take(findNamed(free(), COLUMN_NAMES[purpose]))
  const exact = { question: named("question"), expected: named("expected"), output: named("output") }
  const worded = (purpose: keyof typeof COLUMN_NAMES) =>
    exact[purpose] ?? take(findWorded(free(), COLUMN_NAMES[purpose]))
  const byName = { question: worded("question"), expected: worded("expected"), output: worded("output") }
  if (byName.question !== undefined) return { ...byName, guessed: [] }
  const question = take(findByLength(columns, free(), "longest"))
  const expected =
    byName.expected ?? take(question === undefined ? undefined : findByLength(columns, free(), "shortest"))
  const guessed = [question, byName.expected === undefined ? expected : undefined].filter((name) => name !== undefined)
  return { ...byName, question, expected, guessed }
}

function findNamed(free: readonly string[], names: readonly string[]): string | undefined {
  return names.map((name) => free.find((one) => bareName(one) === bareName(name))).find((one) => one !== undefined)
}

/** Finds a column one of whose words is a name, such as `user_question` or `antwort_de`. */
function findWorded(free: readonly string[], names: readonly string[]): string | undefined {
  const bare = names.map(bareName)
  return bare
    .map((name) => free.find((one) => bareName(one).split("_").includes(name)))
    .find((one) => one !== undefined)
}

/** Columns whose names say that they identify a row. */
const IDENTIFIER = /(?:^|_)(?:id|uuid|key|index|idx|nr|no|number|row|line|date|time|timestamp|source|split|url)(?:$|_)/

/** Finds the column of texts with the greatest or the smallest mean length. Columns that identify rows or are the same everywhere are left out. */
function findByLength(columns: Columns, free: readonly string[], wanted: "longest" | "shortest"): string | undefined {
  const fitting = free
    .filter((name) => !IDENTIFIER.test(bareName(name)) && !isCounter(columns.get(name) ?? []))
    .map((name) => ({ name, values: (columns.get(name) ?? []).filter((value) => value !== null && value !== "") }))
    .filter(({ values }) => values.length > 0 && values.every(isScalar))
    .filter(({ values }) => values.length === 1 || new Set(values.map(String)).size > 1)
    .map(({ name, values }) => ({
      name,
      isText: values.some((value) => !isNumber(value)),
      length: values.reduce<number>((sum, value) => sum + String(value).length, 0) / values.length,
    }))
    .filter(({ isText }) => isText || wanted === "shortest")
    .toSorted((a, b) => (wanted === "longest" ? b.length - a.length : a.length - b.length))
  return fitting[0]?.name
}

/** Returns whether values count the rows: whole numbers, each one more than the one before. */
function isCounter(values: readonly unknown[]): boolean {
  return (
    values.length > 1 &&
    values.every((value, at) => isNumber(value) && (at === 0 || Number(value) === Number(values[at - 1]) + 1))
  )
}

function isScalar(value: unknown): boolean {
  return ["string", "boolean"].includes(typeof value) || isNumber(value)
}

function isNumber(value: unknown): boolean {
  return (
    typeof value === "number" ||
    isExactNumber(value) ||
    (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value.trim()))
  )
}

/** Words up to which an expected answer is looked for in the answer, instead of compared word by word. */
const SHORT = 4

/** Returns the name of the check that fits the values of the expected answers. */
export function checkOf(values: readonly unknown[] = []): "number" | "contains" | "f1" {
  const given = values.filter((value) => value !== null && value !== "")
  if (given.length > 0 && given.every(isNumber)) return "number"
  const words = given.map((value) => String(value).split(/\s+/).length)
  return words.every((count) => count <= SHORT) ? "contains" : "f1"
}

/** Returns the template of a column. */
export function templateOf(column: string): string {
  return /^[A-Za-z_]\w*$/.test(column) && !["item", "sample"].includes(column)
    ? `{{ ${column} }}`
    : `{{ item[${JSON.stringify(column)}] }}`
}
