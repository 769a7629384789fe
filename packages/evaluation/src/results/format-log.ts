import type { TimedLogLine } from "./results-input.ts"

/** `evaluation.log`: a line each, with its time and level; line breaks in a message are indented. */
export async function* formatLog(
  lines: Iterable<TimedLogLine> | AsyncIterable<TimedLogLine>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { at, level, message } of lines) {
    const text = message.replaceAll(/\r?\n/g, "\n    ")
    yield Buffer.from(`${new Date(at).toISOString()} ${level.toUpperCase().padEnd(5)} ${text}\n`)
  }
}
