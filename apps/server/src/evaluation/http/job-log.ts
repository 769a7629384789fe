import type { JobEvent as StoredEvent, Jobs } from "@assay/registry"
import { printableText } from "@assay/schemas/printable"
import { followEvents } from "./follow-events.ts"

export interface JobLogOptions {
  /** The last so many of the lines that are there already; all without it. */
  readonly tail: number | undefined
  /** Goes on with new lines until the job has ended. */
  readonly isFollowed: boolean
  readonly signal: AbortSignal
}

const PAGE = 1000

/** The log of a job as lines of text. */
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
 * Line breaks in a message are indented, so that a line begins with its time. Other control characters are shown as
 * escapes: messages repeat what models said, and clients print logs on terminals.
 */
function lineOf({ kind, data, created_at }: StoredEvent): string[] {
  if (kind !== "log") return []
  const { level, message } = data as { readonly level: string; readonly message: string }
  const text = printableText(message.replaceAll("\r\n", "\n")).replaceAll("\n", "\n    ")
  return [`${created_at} ${level.toUpperCase().padEnd(5)} ${text}\n`]
}
