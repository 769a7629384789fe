import type { JobEvent as StoredEvent, Jobs } from "@assay/job-store"
import { type JobEvent, type JobStatus, isFinalJobStatus } from "@assay/schemas"
import { jobFormats } from "@assay/results"

export interface FollowOptions {
  /** Only events after the one with this number. */
  readonly after: number
  readonly signal: AbortSignal
  /** Milliseconds of silence after which undefined is returned, for a heartbeat. Default 15,000. */
  readonly heartbeatMs?: number
}

const PAGE = 200
const HEARTBEAT_MS = 15_000

/** The jobs of a registry, as far as their events are followed. */
export type FollowedJobs = Pick<Jobs, "get" | "listEvents" | "watch">

/**
 * Returns the events of a job, from past ones until its end, and undefined now and then in a long silence. Ends without an error
 * if the signal aborts, or if the job is deleted.
 */
export async function* followEvents(
  jobs: FollowedJobs,
  id: string,
  { after, signal, heartbeatMs = HEARTBEAT_MS }: FollowOptions,
): AsyncGenerator<StoredEvent | undefined, void, undefined> {
  // Before the first look, so that no event is missed between a look and the wait.
  using watch = jobs.watch(id)
  let last = after
  // A record can be large, so it is only read if the job may have ended or may have been deleted.
  let mayBeOver = true
  while (!signal.aborted) {
    // Before the events: the last events of a job exist as soon as its record is final.
    const isOver: boolean = mayBeOver && (await hasEnded(jobs, id))
    const events = await jobs.listEvents(id, last, PAGE)
    let isFinal = false
    for (const event of events) {
      yield event
      last = event.seq
      if (event.kind === "status") isFinal = isFinalJobStatus((event.data as { status: JobStatus }).status)
    }
    if (isOver && events.length < PAGE) return
    // A change without an event is a deletion.
    const wasSilent: boolean = events.length === 0 && !mayBeOver
    mayBeOver = isOver || isFinal || wasSilent
    if (mayBeOver || events.length === PAGE) continue
    while (!(await watch.changed(last, { maxMs: heartbeatMs, signal }))) {
      if (signal.aborted) return
      yield undefined
    }
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
  jobs: FollowedJobs,
  id: string,
  { tail, isFollowed, signal }: JobLogOptions,
): AsyncGenerator<string, void, undefined> {
  let last = 0
  let kept: string[] = []
  for (let events: readonly StoredEvent[] | undefined; events === undefined || events.length === LOG_PAGE;) {
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
    ? [jobFormats.logEntry(created_at, data as { readonly level: string; readonly message: string })]
    : []
}
