import type { EvaluationRow } from "@assay/schemas"
import { printableJson, printableText } from "@assay/schemas/printable"
import type { TimedLogLine } from "../results-input.ts"

/** Formats `evaluation.log`: one entry for each line of the log. */
export async function* formatLog(
  lines: Iterable<TimedLogLine> | AsyncIterable<TimedLogLine>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { at, ...line } of lines) yield Buffer.from(formatLogEntry(new Date(at).toISOString(), line))
}

/**
 * Formats an entry of a log with its time and level. Further lines of a message are indented, so that each entry begins with its
 * time. Other control characters become escapes: messages repeat text of models, and people read logs on terminals.
 */
export function formatLogEntry(
  time: string,
  { level, message }: Readonly<Record<"level" | "message", string>>,
): string {
  const text = printableText(message.replaceAll("\r\n", "\n")).replaceAll("\n", "\n    ")
  return `${time} ${level.toUpperCase().padEnd(5)} ${text}\n`
}

/** Formats lines of `requests.log`, one for each row that was sent to the target. Rows with a given answer have none. */
export function formatRequests(rows: readonly EvaluationRow[]): string {
  return rows.map(requestLine).join("")
}

function requestLine({ task, row_index, repeat, attempt, sample, error }: EvaluationRow): string {
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

/** Quotes a value as JSON does unless it is one word, so that a line stays one line. */
function quoted(value: string): string {
  return /^[\w.:-]+$/.test(value) ? value : printableJson(JSON.stringify(value))
}
