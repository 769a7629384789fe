import type { JobEvent as StoredEvent, Jobs } from "@assay/registry"
import { printableText } from "@assay/schemas/printable"
import { followEvents } from "./follow-events.ts"

export interface JobLogOptions {
  /** Maximum number of lines that exist already, the last ones; undefined: all. */
  readonly tail: number | undefined
  /** Whether new lines follow until the job has ended. */
  readonly isFollowed: boolean
  readonly signal: AbortSignal
}

const PAGE = 1000

/** Returns the log of a job as lines of text. */
export async function* jobLog(
  jobs: Pick<Jobs, "get" | "listEvents">,
  id: string,
  { tail, isFollowed, signal }: JobLogOptions,
): AsyncGenerator<string, void, undefined> {
  let last = 0
  let kept: string[] = []
  for (let events: StoredEvent[] | undefined; events === undefined || events.length === PAGE;) {
    events = await jobs.listEvents(id, last, PAGE)
    last = events.at(-1)?.seq ?? last
    const lines = events.flatMap(lineOf)
    if (tail === undefined) yield lines.join("")
    else if (tail > 0) kept = [...kept, ...lines].slice(-tail)
  }
  yield kept.join("")
  if (!isFollowed) return
  for await (const event of followEvents(jobs, id, { after: last, signal })) {
    if (event !== undefined) yield* lineOf(event)
  }
}

/**
 * Formats a log event. Line breaks in a message are indented, so that each entry begins with its time. Other control characters
 * become escapes: messages repeat answers of models, and clients print logs on terminals.
 */
function lineOf({ kind, data, created_at }: StoredEvent): string[] {
  if (kind !== "log") return []
  const { level, message } = data as { readonly level: string; readonly message: string }
  const text = printableText(message.replaceAll("\r\n", "\n")).replaceAll("\n", "\n    ")
  return [`${created_at} ${level.toUpperCase().padEnd(5)} ${text}\n`]
}
