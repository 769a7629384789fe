import { printableJson } from "./printable.ts"

/** What `--json` prints: one document, indented, with a line end, and without control characters of others. */
export function formatJson(value: unknown): string {
  return `${printableJson(JSON.stringify(value, null, 2))}\n`
}

/** The same on one line. */
export function formatJsonLine(value: unknown): string {
  return `${printableJson(JSON.stringify(value))}\n`
}
