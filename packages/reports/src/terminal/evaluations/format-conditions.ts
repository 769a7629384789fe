import { printable } from "@assay/schemas"
import { formatInteger } from "../../text/format-number.ts"

const SHOWN_EVIDENCE = 3
const LINE = 200

/** A condition of a job. */
export interface ShownCondition {
  readonly code: string
  readonly title: string
  readonly message: string
  readonly evidence: readonly string[]
  readonly remedy: string
  readonly count: number
}

/** Formats the conditions of a job, each with evidence and what to do. */
export function formatConditions(conditions: readonly ShownCondition[]): string {
  return conditions.map(formatCondition).join("\n")
}

function formatCondition({ code, title, message, evidence, remedy, count }: ShownCondition): string {
  const times = count > 1 ? ` (${formatInteger(count)} times)` : ""
  const lines = [
    `${code}: ${title}${times}`,
    `  ${message}`,
    ...evidence.slice(0, SHOWN_EVIDENCE).map((line) => `  | ${cut(line)}`),
    `  → ${remedy}`,
  ]
  return `${lines.map(printable).join("\n")}\n`
}

function cut(line: string): string {
  return line.length <= LINE ? line : `${line.slice(0, LINE)}…`
}
