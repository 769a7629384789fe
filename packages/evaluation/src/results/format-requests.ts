import type { EvaluationRow } from "@assay/schemas"
import { printableJson } from "@assay/schemas/printable"

/** Lines of `requests.log` about these rows: one for each that was asked. What was given already is not in it. */
export function formatRequests(rows: readonly EvaluationRow[]): string {
  return rows.map(line).join("")
}

function line({ task, row_index, repeat, attempt, sample, error }: EvaluationRow): string {
  if (error === null && (sample?.latency_ms ?? null) === null) return ""
  const fields: readonly (readonly [string, string | number | null | undefined])[] = [
    ["task", task],
    ["row", row_index],
    ["repeat", repeat],
    ["attempt", attempt],
    ["latency_ms", sample?.latency_ms == null ? null : Math.round(sample.latency_ms)],
    ["prompt_tokens", sample?.usage?.prompt_tokens],
    ["completion_tokens", sample?.usage?.completion_tokens],
    ["finish_reason", sample?.finish_reason],
    ["error", error?.code],
    ["message", error?.message],
  ]
  const known = fields.filter(([, value]) => value !== null && value !== undefined)
  return `${known.map(([name, value]) => `${name}=${quoted(String(value))}`).join(" ")}\n`
}

/** Words stay as they are; all else is quoted as in JSON, so that a line stays one line. */
function quoted(value: string): string {
  return /^[\w.:-]+$/.test(value) ? value : printableJson(JSON.stringify(value))
}
