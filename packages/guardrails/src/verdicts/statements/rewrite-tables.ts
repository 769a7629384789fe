import { CATEGORY_KEYS, VERDICT_KEYS } from "../data/keys.ts"
import { plainKey } from "../text/plain-words.ts"

/** Maximum number of columns. Wider headers repeat their keys, and each row would repeat them. */
const MAX_COLUMNS = 8

/**
 * Rewrites rows of Markdown tables as `Key: value` lines: rows whose first cell is a key, and tables whose header has only keys.
 * Everything else is kept.
 */
export function rewriteTables(text: string): string {
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
  if (isKey(cells[0])) return [`${cells[0]}: ${cells.slice(1).join(", ")}`]
  return [line, ...cells.flatMap((cell, index) => (isKey(cell) ? [`${cell}: ${cells[index + 1] ?? ""}`] : []))]
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
