import { AssayError, nearestNames, printable } from "@assay/schemas"
import { compileTemplate } from "@assay/templates"
import { isPromptFile } from "../short/short-prompt.ts"
import type { Columns } from "./columns.ts"

/** Names that templates have besides the columns. */
const OTHERS: ReadonlySet<string> = new Set(["item", "sample", "reference", "response"])

/** Reads the name of a column, also in braces. @throws `bad_usage` if the rows do not have it */
export function readColumn(answer: string, columns: Columns): string {
  const [, inside] = /^\{\{\s*(.+?)\s*\}\}$/.exec(answer) ?? []
  const name = inside ?? answer
  if (columns.has(name)) return name
  throw noColumn(name, columns)
}

function noColumn(name: string, columns: Columns): AssayError {
  const names = [...columns.keys()]
  const near = nearestNames(name, names, 1).map((one) => ` Did you mean '${printable(one)}'?`)
  const message = `The rows have no column '${printable(name)}'. Their columns are ${names.map(printable).join(", ")}.${near.join("")}`
  return new AssayError("bad_usage", message)
}

/** Checks a template of rows. @throws `template_error` if it can't be parsed; `bad_usage` if it reads a column that the rows do not have */
export function checkTemplate(template: string, columns: Columns): void {
  const { names, paths } = compileTemplate(template)
  const read = [...names, ...paths.flatMap((path) => /^item\.([^.]+)/.exec(path)?.[1] ?? [])]
  const unknown = read.find((name) => !columns.has(name) && !OTHERS.has(name))
  if (unknown !== undefined) throw noColumn(unknown, columns)
}

export interface PromptFolder {
  readonly name: string
  readonly hasFile: (path: string) => boolean
}

/**
 * Checks what is sent for each row: a template, or a file with one.
 * @param folder the folder of the evaluation file, and whether a file is in it
 * @throws `bad_usage` for a file that does not exist, and a column without braces; the errors of `checkTemplate`
 */
export function checkPrompt(prompt: string, columns: Columns, folder: PromptFolder): void {
  if (isPromptFile(prompt)) {
    if (folder.hasFile(prompt)) return
    throw new AssayError("bad_usage", `There is no file '${printable(prompt)}' in ${printable(folder.name)}.`)
  }
  if (columns.has(prompt)) {
    const message = `'${printable(prompt)}' is the name of a column, and every row would get this word: write {{ ${printable(prompt)} }}.`
    throw new AssayError("bad_usage", message)
  }
  checkTemplate(prompt, columns)
}

/** Checks every template in a check. @throws as `checkTemplate` does */
export function checkTemplatesIn(value: unknown, columns: Columns): void {
  if (typeof value === "string") {
    if (value.includes("{{") || value.includes("{%")) checkTemplate(value, columns)
  } else if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) checkTemplatesIn(part, columns)
  }
}
