import { printable } from "./printable.ts"

/** One record for people: a line per field, objects as JSON. */
export function formatRecord(record: object): string {
  const fields = Object.entries(record)
  const width = Math.max(0, ...fields.map(([name]) => name.length))
  return (
    fields.map(([name, value]) => `${name.padEnd(width)}  ${printable(formatValue(value))}`.trimEnd()).join("\n") + "\n"
  )
}

function formatValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}
