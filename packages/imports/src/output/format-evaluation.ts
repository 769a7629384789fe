import { stringify } from "yaml"

/** Formats an evaluation file as YAML, below lines that say what it was made of. */
export function formatEvaluation(content: object, comments: readonly string[]): string {
  const head = comments.map((line) => `# ${line.replaceAll(/[\r\n]+/g, " ")}\n`).join("")
  return `${head}${stringify(content, { lineWidth: 0, aliasDuplicateObjects: false })}`
}

/** Formats a row as a line of a JSONL file. */
export function formatRow(row: unknown): string {
  return `${JSON.stringify(row)}\n`
}
