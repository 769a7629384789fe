import { isExactNumber } from "@assay/json"
import type { Columns } from "./read-columns.ts"

/** The probable purposes of the columns of a file. */
export interface Proposal {
  /** The column with what a model is asked. */
  readonly question: string | undefined
  /** The column with the expected answer. */
  readonly expected: string | undefined
  /** The column with an answer that was given. */
  readonly output: string | undefined
}

const QUESTIONS = ["question", "prompt", "input", "query", "message", "messages", "text", "instruction"]
const EXPECTED = [
  "answer",
  "expected",
  "reference",
  "ideal",
  "target",
  "label",
  "ground_truth",
  "solution",
  "correct",
  "expected_output",
]
const OUTPUTS = ["output", "response", "answer_given", "completion", "prediction", "generated", "model_output"]

/** Proposes what each column is for, by its name. */
export function proposeColumns(columns: Columns): Proposal {
  const find = (names: readonly string[]) => {
    const known = [...columns.keys()]
    return names.map((name) => known.find((one) => one.toLowerCase() === name)).find((one) => one !== undefined)
  }
  return { question: find(QUESTIONS), expected: find(EXPECTED), output: find(OUTPUTS) }
}

/** Words up to which an expected answer is looked for in the answer, instead of compared word by word. */
const SHORT = 4

/** Returns the name of the check that fits the values of the expected answers. */
export function checkOf(values: readonly unknown[] = []): "number" | "contains" | "f1" {
  const given = values.filter((value) => value !== null && value !== "")
  const isNumber = (value: unknown) =>
    typeof value === "number" ||
    isExactNumber(value) ||
    (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value.trim()))
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
