import { AssayError, numberText } from "@assay/schemas"
import type { LabelledPrompt } from "./labelled-prompt.ts"

const OPTIONAL = ["id", "response", "category", "language"] as const

/**
 * A row of a file as a labelled prompt. Labels are `safe` and `unsafe` in any case and nothing else: a wrong guess would
 * turn every figure of a report around. Empty optional fields are absent ones; fields that are not listed are left out.
 * @throws `rows_invalid` that names the row, counted from 1, the value and what is allowed
 */
export function parseLabelledPrompt(row: unknown, number: number): LabelledPrompt {
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    throw fault(number, `is ${shown(row)}`, "write an object with `prompt` and `label`")
  }
  const fields = row as Readonly<Record<string, unknown>>
  const { prompt, label } = fields
  if (typeof prompt !== "string" || prompt.trim() === "") {
    throw fault(number, `has \`prompt\` ${shown(prompt)}`, "give the text that is to be judged")
  }
  const word = typeof label === "string" ? label.trim().toLowerCase() : null
  if (word !== "safe" && word !== "unsafe") {
    throw fault(number, `has \`label\` ${shown(label)}`, "write `safe` or `unsafe`; other labels are not guessed at")
  }
  const rest: Record<string, string> = {}
  for (const name of OPTIONAL) {
    const text = optionalText(fields[name], name, number)
    if (text !== undefined) rest[name] = text
  }
  return { prompt, label: word, ...rest }
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
