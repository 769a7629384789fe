import { splitCategories } from "../categories.ts"
import { CATEGORY_KEYS, VERDICT_KEYS } from "../data/keys.ts"
import { isDeniedBefore, remarkTakesBack } from "../objections/remark-takes-back.ts"
import { plainKey } from "../text/plain-words.ts"
import { type Mention, findMentions } from "./mentions.ts"
import { type TextValue, readTextValue } from "./read-value.ts"
import type { Findings, Statement, Value } from "./statement.ts"

export interface TextFindings extends Findings {
  /** The text without the statements that were read. */
  readonly rest: string
}

/** Finds the statements of a text in lines, tables and damaged JSON. `isCut`: the answer was ended from outside. */
export function textStatements(answer: string, isCut: boolean): TextFindings {
  const text = rewriteTables(answer)
  const mentions = findMentions(text)
  if (mentions.length === 0) return { statements: [], categories: [], rest: text }
  const statements: Statement[] = []
  const categories: string[] = []
  const rest: string[] = []
  let from = 0
  for (const [index, mention] of mentions.entries()) {
    const next = mentions[index + 1]
    const part = text.slice(mention.valueStart, next?.start ?? text.length)
    if (mention.key === undefined) {
      if (mention.isAnchored) categories.push(...readTextCategories(part, next === undefined, isCut))
      // The text before the key is not part of the field.
      rest.push(text.slice(from, mention.start))
      from = mention.start
      continue
    }
    const { side, group, vocabulary } = mention.key
    const read = readTextValue(part, vocabulary, next === undefined)
    const value = heldBy(read, text, mention)
    statements.push({ side, group, value, isJson: false, isAnchored: mention.isAnchored })
    if (value !== "safe" && value !== "unsafe" && value !== "controversial") continue
    rest.push(text.slice(from, mention.start))
    from = mention.valueStart + read.end
  }
  rest.push(text.slice(from))
  return { statements, categories, rest: rest.join("\n") }
}

/**
 * Checks the words around a value: a value with a question mark does not count, nor does "safe" if the words around it take it
 * back.
 */
function heldBy({ value, remark }: TextValue, text: string, { start, isAnchored }: Mention): Value {
  if (value === "unsafe" || value === "controversial") return /^[\s"'*_`]{0,4}\?/.test(remark) ? "unknown" : value
  if (value !== "safe") return value
  return remarkTakesBack(remark) || (isAnchored && isDeniedBefore(text, start)) ? "unknown" : value
}

/** Reads the list of categories after its key. A truncated list is ignored, because its last name may be incomplete. */
function readTextCategories(part: string, isLast: boolean, isCut: boolean): readonly string[] {
  const text = part.replace(/^[\s*`_~\\]{0,100}(?=[^\s*`_~\\])/, "")
  const isList = text.startsWith("[")
  const quote = /^\[?\s{0,20}(["'])/.exec(text)?.[1]
  if (isList || quote !== undefined) return readEnclosed(text, isList ? "]" : (quote ?? '"'), isLast)
  const line = part.replace(/^[ \t*`_~\\]+/, "")
  const end = line.search(/[\n}|]/)
  const first = end < 0 ? line : line.slice(0, end)
  const written = first.trim() === "" ? bulletsOf(line) : first
  const isOpen = isLast && end < 0 && (isCut || /(?:[,;]|(?:^|[\s,;])[SO])\s*$/.test(written))
  return isOpen ? [] : splitCategories(written)
}

function readEnclosed(text: string, closing: string, isLast: boolean): readonly string[] {
  const end = text.indexOf(closing, 1)
  if (end < 0) return isLast ? [] : splitCategories(text.split("\n", 1)[0] ?? "")
  return splitCategories(text.slice(1, end))
}

/** Reads a list with one bullet per line. */
function bulletsOf(text: string): string {
  const bullets: string[] = []
  for (const line of text.split("\n").slice(1)) {
    if (!/^\s*[-*•·]\s/.test(line)) break
    bullets.push(line.trim().replace(/^[-*•·]\s+/, ""))
  }
  return bullets.join("\n")
}

/** Maximum number of columns. Wider headers repeat their keys, and each row would repeat them. */
const MAX_COLUMNS = 8

/**
 * Rewrites rows of Markdown tables as `Key: value` lines: rows whose first cell is a key, and tables whose header has only keys.
 * Everything else is kept.
 */
function rewriteTables(text: string): string {
  if (!text.includes("|")) return text
  const written: string[] = []
  let header: readonly string[] | undefined
  // A row of keys is a header only if rows follow: otherwise its second cell is a value that looks like a key.
  let unused: readonly string[] = []
  for (const line of text.split("\n")) {
    const cells = line.includes("|") ? cellsOf(line) : []
    const isHeader = cells.length > 0 && cells.length <= MAX_COLUMNS && cells.every((cell) => isKey(cell))
    if (cells.length === 0 || isHeader) {
      header = undefined
      written.push(...unused)
      unused = []
    }
    if (isHeader) {
      header = cells
      unused = rowOf(line, cells)
    } else if (header !== undefined && cells.every((cell) => /^[\s:-]*$/.test(cell))) continue
    else if (header === undefined) written.push(...rowOf(line, cells))
    else {
      unused = []
      written.push(...header.map((key, index) => `${key}: ${cells[index] ?? ""}`))
    }
  }
  return [...written, ...unused].join("\n")
}

/** Returns a row as `Key: value` lines. A key in a later cell counts too, because other text may precede the row. */
function rowOf(line: string, cells: readonly string[]): readonly string[] {
  if (isKey(cells[0])) return fieldsOfRow(cells)
  return [line, ...cells.flatMap((cell, index) => (isKey(cell) ? [`${cell}: ${cells[index + 1] ?? ""}`] : []))]
}

/** Returns the cells of a row that begins with a key as `Key: value` lines. The cell behind a key is always a value. */
function fieldsOfRow(cells: readonly string[]): readonly string[] {
  const fields: string[][] = []
  for (const cell of cells) {
    const field = fields.at(-1)
    if (field === undefined || (field.length > 1 && isKey(cell))) fields.push([cell])
    else field.push(cell)
  }
  return fields.map(([key = "", ...values]) => `${key}: ${values.join(", ")}`)
}

function cellsOf(line: string): readonly string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "")
  return inner.split("|").map((cell) => cell.trim())
}

function isKey(cell: string | undefined): boolean {
  if (cell === undefined || cell.length > 60) return false
  const plain = plainKey(cell)
  return VERDICT_KEYS.has(plain) || CATEGORY_KEYS.has(plain)
}
