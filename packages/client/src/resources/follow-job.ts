import type { ServerEvent } from "@assay/http"
import type { JobEvent } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { RetryOptions } from "../client-options.ts"
import { clientRetryDelay, type Exchange } from "../exchange/exchange.ts"
import { badAnswer, networkFailure } from "../exchange/read-failure.ts"
import { serverEvents } from "../exchange/streams.ts"

export interface FollowedJob {
  readonly exchange: Exchange
  /** Address of the server. */
  readonly url: string
  readonly path: string
  /** Undefined: a broken connection is an error. */
  readonly retry: RetryOptions | undefined
  /** Only events after the one with this number. */
  readonly after: number | undefined
  readonly signal: AbortSignal | undefined
}

/** Number of attempts within which a server that restarts responds again. */
const MAX_TRIES = 10

/**
 * Yields the events of a job until it has ended, each once and in order. If the connection breaks, or the server closes it
 * before the job has ended, it continues with the event after the last one.
 * @throws `not_found`; `server_unreachable` if the server does not come back; `too_many_requests` if the caller keeps too many streams
 */
export async function* followJob(job: FollowedJob): AsyncGenerator<JobEvent, void, undefined> {
  let last = job.after
  let isFinal = false
  for (let tries = 0; ; tries += 1) {
    let failure: unknown
    try {
      for await (const event of readJobEvents(job, last)) {
        if (last !== undefined && event.id <= last) continue
        last = event.id
        tries = 0
        if (event.event === "status") isFinal = /^(completed|failed|cancelled)$/i.test(String(event.data["status"]))
        yield event
      }
      if (isFinal) return
      failure = new AssayError(
        "server_unreachable",
        `${job.url} closed the events of ${job.path} before the job ended.`,
      )
    } catch (error) {
      failure = error
    }
    job.signal?.throwIfAborted()
    const delay =
      job.retry === undefined || tries >= MAX_TRIES || !isWorthWaiting(failure)
        ? undefined
        : clientRetryDelay(tries, job.retry)
    if (delay === undefined) throw failure
    await job.retry?.sleep(delay, job.signal)
  }
}

/** A server bounds the streams of one caller, and another one can end soon. */
function isWorthWaiting(failure: unknown): boolean {
  return (["server_unreachable", "unavailable", "too_many_requests"] as const).some((code) =>
    isAssayError(failure, code),
  )
}

async function* readJobEvents(
  { exchange, url, path, signal }: FollowedJob,
  after: number | undefined,
): AsyncGenerator<JobEvent, void, undefined> {
  const address = { method: "GET", url: `${url}${path}` } as const
  const seen: Record<string, string> = after === undefined ? {} : { "last-event-id": String(after) }
  const headers = { accept: "text/event-stream", ...seen }
  const { body } = await exchange({ method: "GET", path, headers, signal })
  try {
    for await (const event of serverEvents(body, address)) yield jobEventOf(event, address)
  } catch (error) {
    throw networkFailure(error, address, signal)
  }
}

function jobEventOf({ id, event, data }: ServerEvent, address: { method: string; url: string }): JobEvent {
  try {
    return { id: Number(id), event: event as JobEvent["event"], data: JSON.parse(data) as JobEvent["data"] }
  } catch (cause) {
    throw badAnswer(address, `'${data.slice(0, 100)}' as an event`, cause)
  }
}
