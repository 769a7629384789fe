import { setTimeout as pause } from "node:timers/promises"
import type { JobEvent as StoredEvent, Jobs } from "@assay/registry"
import { type JobEvent, type JobStatus, isFinalJobStatus } from "@assay/schemas"
import { formatLogEntry } from "../results/files/format-logs.ts"

export interface FollowOptions {
  /** Only events after the one with this number. */
  readonly after: number
  readonly signal: AbortSignal
  /** Milliseconds of silence after which undefined is returned, for a heartbeat. Default 15,000. */
  readonly heartbeatMs?: number
}

const PAGE = 200
/** Milliseconds between two looks at a job without news. Another process may run the job. */
const LOOK_MS = 250
/** Number of looks after which the record is read although no event reports an end: the job may have been deleted. */
const LOOKS_PER_RECORD = 20
const HEARTBEAT_MS = 15_000

/**
 * Returns the events of a job, from past ones until its end, and undefined now and then in a long silence. Ends without an error
 * if the signal aborts, or if the job is deleted.
 */
export async function* followEvents(
  jobs: Pick<Jobs, "get" | "listEvents">,
  id: string,
  { after, signal, heartbeatMs = HEARTBEAT_MS }: FollowOptions,
): AsyncGenerator<StoredEvent | undefined, void, undefined> {
  let last = after
  let silence = 0
  let isFinal = false
  for (let look = 0; !signal.aborted; look += 1) {
    // Before the events: the last events of a job exist as soon as its record is final. A record can be large, so it is read rarely.
    const isOver = (isFinal || look % LOOKS_PER_RECORD === 0) && (await hasEnded(jobs, id))
    const events = await jobs.listEvents(id, last, PAGE)
    for (const event of events) {
      yield event
      last = event.seq
      silence = 0
      if (event.kind === "status") isFinal = isFinalJobStatus((event.data as { status: JobStatus }).status)
    }
    if (events.length === PAGE || (isFinal && !isOver)) continue
    if (isOver) return
    await pause(LOOK_MS, undefined, { signal }).catch(() => {})
    silence += LOOK_MS
    if (silence < heartbeatMs || signal.aborted) continue
    silence = 0
    yield undefined
  }
}

async function hasEnded(jobs: Pick<Jobs, "get">, id: string): Promise<boolean> {
  try {
    return isFinalJobStatus((await jobs.get(id)).status)
  } catch {
    return true
  }
}

/** Returns an event in the form of the wire. */
export function jobEventOf({ seq, kind, data }: StoredEvent): JobEvent {
  return { id: seq, event: kind, data: { ...data } }
}

export interface JobLogOptions {
  /** Maximum number of lines that exist already, the last ones; undefined: all. */
  readonly tail: number | undefined
  /** Whether new lines follow until the job has ended. */
  readonly isFollowed: boolean
  readonly signal: AbortSignal
}

const LOG_PAGE = 1000

/** Returns the log of a job as lines of text. */
export async function* jobLog(
  jobs: Pick<Jobs, "get" | "listEvents">,
  id: string,
  { tail, isFollowed, signal }: JobLogOptions,
): AsyncGenerator<string, void, undefined> {
  let last = 0
  let kept: string[] = []
  for (let events: StoredEvent[] | undefined; events === undefined || events.length === LOG_PAGE;) {
    events = await jobs.listEvents(id, last, LOG_PAGE)
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

function lineOf({ kind, data, created_at }: StoredEvent): string[] {
  return kind === "log"
    ? [formatLogEntry(created_at, data as { readonly level: string; readonly message: string })]
    : []
}
