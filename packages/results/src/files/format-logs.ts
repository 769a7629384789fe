import { type EvaluationRow, printableJson, printableText } from "@assay/schemas"
import type { TimedLogLine } from "../results-input.ts"

/** Formats `evaluation.log`: one entry for each line of the log. */
export async function* formatLog(
  lines: Iterable<TimedLogLine> | AsyncIterable<TimedLogLine>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { at, ...line } of lines) yield Buffer.from(formatLogEntry(new Date(at).toISOString(), line))
}

/**
 * Formats an entry of a log with its time and level. Further lines of a message are indented, so that each entry begins with its
 * time. Other control characters are shown as `⟨U+202E⟩`: messages repeat text of models, and people read logs on terminals.
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
  const { latency_ms, usage, finish_reason } = sample ?? {}
  return (
    `task=${quoted(task)}` +
    field("row", row_index) +
    field("repeat", repeat) +
    field("attempt", attempt) +
    field("latency_ms", latency_ms == null ? null : Math.round(latency_ms)) +
    field("prompt_tokens", usage?.prompt_tokens) +
    field("completion_tokens", usage?.completion_tokens) +
    field("finish_reason", finish_reason) +
    field("error", error?.code) +
    field("message", error?.message) +
    "\n"
  )
}

function field(name: string, value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ""
  return ` ${name}=${Number.isSafeInteger(value) ? value : quoted(String(value))}`
}

/** Quotes a value as JSON does unless it is one word, so that a line stays one line. */
function quoted(value: string): string {
  return /^[\w.:-]+$/.test(value) ? value : printableJson(JSON.stringify(value))
}
