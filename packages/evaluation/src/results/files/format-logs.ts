import { printableText } from "@assay/schemas/printable"
import type { TimedLogLine } from "./results-input.ts"

/**
 * Writes `evaluation.log`: a line each, with its time and level. Line breaks in a message are indented, and its other
 * control characters are shown as escapes: messages repeat what models said, and logs are read on terminals.
 */
export async function* formatLog(
  lines: Iterable<TimedLogLine> | AsyncIterable<TimedLogLine>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { at, level, message } of lines) {
    const text = printableText(message.replaceAll("\r\n", "\n")).replaceAll("\n", "\n    ")
    yield Buffer.from(`${new Date(at).toISOString()} ${level.toUpperCase().padEnd(5)} ${text}\n`)
  }
}
