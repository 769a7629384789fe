import { printableJson } from "@assay/schemas"

/** Formats a value as one indented JSON document that ends with a line feed. Control characters are escaped. */
export function formatJson(value: unknown): string {
  return `${printableJson(JSON.stringify(value, null, 2))}\n`
}

/** Formats a value as JSON on one line, also with a line feed at its end. */
export function formatJsonLine(value: unknown): string {
  return `${printableJson(JSON.stringify(value))}\n`
}
