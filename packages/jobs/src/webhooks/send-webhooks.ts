import type { WebhookEvent, WebhookEvents } from "@assay/job-store"
import { messageOf } from "@assay/schemas"
import type { RunnerLog } from "../runner/start-runner.ts"
import { signWebhook } from "./sign-webhook.ts"
import type { FormatBody } from "./webhook-body.ts"
import { describeJobEnd, type MessageSources } from "./webhook-message.ts"

/** The answer of a receiver, or why there is none. */
export type WebhookAnswer =
  | { readonly status: number; readonly retryAfterMs?: number | undefined }
  | { readonly failure: string }

export interface WebhookOptions extends MessageSources {
  readonly events: WebhookEvents
  readonly format: FormatBody
  /** Each begins with `whsec_`. Empty: messages are not signed. */
  readonly secrets: readonly string[]
  /** Sends one message. It follows no redirect, ends in bounded time, and never throws. */
  readonly post: (
    body: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<WebhookAnswer>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly random: () => number
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  readonly log: RunnerLog
}

/** Milliseconds between two looks for events. */
const LOOK_MS = 1000
/** Looks until the server is announced again. */
const LOOKS_UNTIL_ANNOUNCED = 1800
const FIRST_RETRY_MS = 5000
const MAX_RETRY_MS = 3_600_000
/** An event that was not delivered for a day is given up. */
const MAX_AGE_MS = 86_400_000
/** The receiver wants no more messages. */
const GONE = 410

/** Sends the ends of jobs to a webhook until it is closed. Several servers share the events: one of them sends each. */
export function startWebhooks(options: WebhookOptions): { close(): Promise<void> } {
  const closing = new AbortController()
  const sending = sendUntil(closing.signal, options)
  return {
    async close() {
      closing.abort()
      await sending
    },
  }
}

async function sendUntil(signal: AbortSignal, options: WebhookOptions): Promise<void> {
  const { events, sleep, log } = options
  for (let look = 0; !signal.aborted; look++) {
    try {
      if (look % LOOKS_UNTIL_ANNOUNCED === 0) await events.announce()
      for (let event = await events.take(); event !== undefined; event = await events.take()) {
        await sendEvent(event, signal, options)
        if (signal.aborted) return
      }
    } catch (error) {
      // The announcement is repeated with the next look.
      look = look % LOOKS_UNTIL_ANNOUNCED === 0 ? -1 : look
      if (!signal.aborted) log.warn({ err: error }, "could not look for webhooks to send")
    }
    await sleep(LOOK_MS, signal).catch(() => {})
  }
}

/** Sends an event once, and removes it or makes it due again. */
async function sendEvent(event: WebhookEvent, signal: AbortSignal, options: WebhookOptions): Promise<void> {
  const { events, now, log } = options
  const answer = await tryToSend(event, signal, options)
  // An interrupted message is sent again after the restart.
  if (signal.aborted && "failure" in answer) return events.postpone(event, 0)
  const about = { webhook: event.id, job: event.job, tries: event.tries }
  if ("status" in answer && answer.status >= 200 && answer.status < 300) {
    log.info(about, "webhook delivered")
    return events.remove(event)
  }
  const reason = "status" in answer ? `the receiver answered ${answer.status}` : answer.failure
  const isRefused = "status" in answer && answer.status === GONE
  if (isRefused || now() - event.at > MAX_AGE_MS) {
    log.warn({ ...about, reason }, "a webhook was given up")
    return events.remove(event)
  }
  const wait = delayOf(event, answer, options)
  log.warn({ ...about, reason, wait_ms: wait }, "a webhook was not delivered; it is sent again")
  return events.postpone(event, wait)
}

async function tryToSend(event: WebhookEvent, signal: AbortSignal, options: WebhookOptions): Promise<WebhookAnswer> {
  const { format, secrets, post, now } = options
  let body: string
  const message = await describeJobEnd(event, options)
  try {
    body = format(message)
  } catch (error) {
    return { failure: messageOf(error) }
  }
  const timestamp = Math.floor(now() / 1000)
  const signature = signWebhook({ id: event.id, timestamp, body }, secrets)
  return post(body, { "content-type": "application/json", "user-agent": "assay-webhook", ...signature }, signal)
}

/** Returns the wait before the next try: doubled each time with jitter, or what the receiver asks for, at most an hour. */
function delayOf({ tries }: WebhookEvent, answer: WebhookAnswer, { random }: Pick<WebhookOptions, "random">): number {
  const asked = "status" in answer ? (answer.retryAfterMs ?? 0) : 0
  const doubled = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1))
  return Math.round(Math.max(Math.min(asked, MAX_RETRY_MS), doubled / 2 + (random() * doubled) / 2))
}
