import { printableText } from "@assay/schemas"

export type CsvCell = string | number | boolean | null | undefined

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** Matches a cell that a spreadsheet would run as a formula: it begins with one of these signs, in ASCII or full width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * Formats rows as CSV (RFC 4180). Text that a spreadsheet would run as a formula gets a leading apostrophe, as OWASP advises
 * against CSV injection; numbers stay as they are. Control characters are shown as `⟨U+202E⟩`, since people read tables on
 * terminals too.
 */
export function formatCsv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((cells) => `${cells.map(cellText).join(",")}\r\n`).join("")
}

function cellText(cell: CsvCell): string {
  const text = String(cell ?? "")
  const shown = printableText(text.replaceAll("\r\n", "\n"))
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${shown}` : shown
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
