import { fileURLToPath } from "node:url"
import { AssayError } from "@assay/schemas"
import { isObject, numberText } from "@assay/json"
import type { PromptToCheck } from "../../judge.ts"

/** A text with a label from people that says whether it may pass. */
export interface LabelledPrompt {
  readonly id?: string
  readonly prompt: string
  /** If present, the output rails are measured and the label is about the response. */
  readonly response?: string
  readonly label: PromptLabel
  readonly category?: string
  /** A language tag or name, used only to group rows. */
  readonly language?: string
}

export type PromptLabel = "safe" | "unsafe"

const OPTIONAL = ["id", "response", "category", "language"] as const

/**
 * Parses a row of a file. The label is `safe` or `unsafe` in any case; no other label is guessed, because a wrong guess would
 * invert every figure of a report. Empty optional row count as absent, and unknown row are ignored.
 * @param number the number of the row, from 1
 * @throws `rows_invalid` with the row, the value and what is allowed
 */
export function parseLabelledPrompt(row: unknown, number: number): LabelledPrompt {
  if (!isObject(row)) {
    throw fault(number, `is ${shown(row)}`, "write an object with `prompt` and `label`")
  }
  const prompt = promptOf(row, number)
  const { label } = row
  const word = typeof label === "string" ? label.trim().toLowerCase() : null
  if (word !== "safe" && word !== "unsafe") {
    throw fault(number, `has \`label\` ${shown(label)}`, "write `safe` or `unsafe`; other labels are not guessed at")
  }
  const rest: Record<string, string> = {}
  for (const name of OPTIONAL) {
    const text = optionalText(row[name], name, number)
    if (text !== undefined) rest[name] = text
  }
  return { prompt, label: word, ...rest }
}

/**
 * Parses a row as a message to check. An empty `response` counts as absent, and other columns are ignored.
 * @param number the number of the row, from 1
 * @throws `rows_invalid` with the row, the value and what is allowed
 */
export function parsePrompt(row: unknown, number: number): PromptToCheck {
  if (!isObject(row)) throw fault(number, `is ${shown(row)}`, "write an object with `prompt`")
  const prompt = promptOf(row, number)
  const response = optionalText(row["response"], "response", number)
  return response === undefined ? { prompt } : { prompt, response }
}

function promptOf({ prompt }: Readonly<Record<string, unknown>>, number: number): string {
  if (typeof prompt === "string" && prompt.trim() !== "") return prompt
  throw fault(number, `has \`prompt\` ${shown(prompt)}`, "give the text that is to be judged")
}

function optionalText(value: unknown, name: (typeof OPTIONAL)[number], number: number): string | undefined {
  if (value === undefined || value === null || value === "") return undefined
  if (typeof value === "string") return value
  const written = numberText(value)
  if (name === "id" && written !== undefined) return written
  throw fault(number, `has \`${name}\` ${shown(value)}`, "write text there, or leave it out")
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "missing"
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function fault(number: number, found: string, remedy: string): AssayError {
  return new AssayError("rows_invalid", `Row ${number} ${found}; ${remedy}.`, { context: { row: number } })
}

/**
 * Returns the path of the example set: labelled prompts as JSON lines, written for this project. Use it to try a calibration
 * out, not as a benchmark; its README says what it covers.
 */
export function exampleSetPath(): string {
  return fileURLToPath(new URL("../../../data/safe-and-unsafe-prompts.jsonl", import.meta.url))
}
