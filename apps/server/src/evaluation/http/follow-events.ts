import type { JobEvent as StoredEvent, Jobs } from "@assay/registry"
import { isFinalJobStatus, type JobEvent, type JobStatus } from "@assay/schemas"
import { sleep } from "../../sleep.ts"

export interface FollowOptions {
  /** Only events after the one with this number. */
  readonly after: number
  readonly signal: AbortSignal
  /** Silence in milliseconds after which the reader is told that somebody is there. Default 15,000. */
  readonly heartbeatMs?: number
}

const PAGE = 200
/** Between two looks at a job in which nothing happens. What runs it may be another process. */
const LOOK_MS = 250
/** Looks after which the record is read though no event says that the job has ended: it may be gone. */
const LOOKS_PER_RECORD = 20
const HEARTBEAT_MS = 15_000

/**
 * What happens in a job, from what did already until it has ended; undefined now and then in a long silence. Ends quietly
 * where the signal aborts, or the job is deleted.
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
    // The record first: what comes with the end of a job is there as soon as that is. It can be large, so it is read seldom.
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
    await sleep(LOOK_MS, signal).catch(() => {})
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

/** An event as it is sent. */
export function jobEventOf({ seq, kind, data }: StoredEvent): JobEvent {
  return { id: seq, event: kind, data: { ...data } }
}
