import { retryAfter, retryDelay } from "@assay/http"
import { type AssayError, invalidRequest, isAssayError, messageOf } from "@assay/schemas"
import { classifyFailure } from "../failures/classify-failure.ts"
import { recordFailure, type Failure, type FailureRecord } from "../failures/failure.ts"
import { inferenceError } from "../failures/inference-error.ts"
import type { CallOptions } from "../inference-client.ts"
import type { InferenceContext } from "../inference-context.ts"
import { startDeadline, startExchange, type Exchange } from "../transport/exchange.ts"
import type { Connection } from "../transport/open-connection.ts"
import { isRateLimited, isRepeatable } from "./is-repeatable.ts"

/** If an endpoint asks for a longer wait, the call fails instead. */
const LONGEST_WAIT_MS = 60_000

export interface RetrySettings {
  readonly connection: Connection
  readonly context: InferenceContext
  readonly model: string
  readonly hasKey: boolean
  readonly secrets: readonly string[]
  readonly timeoutMs: number
  readonly maxRetries: number
  /** Maximum wait for rate limits in total. 0: a rate-limited attempt counts like any other. */
  readonly maxRateLimitWaitMs: number
  /** Undefined: `LONGEST_WAIT_MS`. */
  readonly maxRetryAfterMs: number | undefined
  readonly signal: AbortSignal | undefined
  readonly traceparent: string | undefined
  readonly onRetry: CallOptions["onRetry"]
  readonly isStreamed: boolean
  /** Whether the request is about a text, and not about a chat. */
  readonly isText: boolean
  /** Finds out more about the failure of the last attempt. */
  readonly explain: (failure: Failure, record: FailureRecord) => Promise<Failure>
}

export interface Done<T> {
  readonly value: T
  /** Number of attempts, without rate-limited ones that were waited out. */
  readonly attempts: number
  /** Milliseconds in which the pacer and the ceiling held requests back. They are not the endpoint's. */
  readonly heldMs: number
  /** If the answer is streamed, the deadline of the exchange still runs. */
  readonly exchange: Exchange
}

/**
 * Runs `work` until it succeeds, until another attempt can't help, or until the attempts are used up. Rate-limited attempts are
 * repeated for up to `maxRateLimitWaitMs` and do not count.
 */
export async function callWithRetry<T>(
  settings: RetrySettings,
  work: (exchange: Exchange) => Promise<T>,
): Promise<Done<T>> {
  const { connection, context, signal, timeoutMs, maxRetries, maxRateLimitWaitMs, isStreamed, secrets, traceparent } =
    settings
  const rateLimit = createRateLimitWait({ maxMs: maxRateLimitWaitMs, ...context })
  const { followers } = connection
  // A call that does not wait for rate limits, such as a check of a message, must not wait behind a job's thousands of rows.
  const pacer = maxRateLimitWaitMs > 0 ? connection.pacer : undefined
  let heldMs = 0
  for (let attempt = 1; ;) {
    signal?.throwIfAborted()
    const readyAt = context.now()
    await connection.belowCeiling?.(signal)
    await pacer?.turn(signal, context.sender)
    const sentAt = context.now()
    heldMs += sentAt - readyAt
    const exchange = startExchange(startDeadline(timeoutMs, { caller: signal, followers }), { isStreamed, traceparent })
    try {
      const value = await work(exchange)
      if (!isStreamed) exchange.deadline.end()
      pacer?.succeeded()
      return { value, attempts: attempt, heldMs, exchange }
    } catch (error) {
      exchange.deadline.cancel()
      signal?.throwIfAborted()
      if (isUnsendable(exchange)) throw isAssayError(error) ? error : unsendable(error, settings.isText)
      const record = recordFailure(connection, exchange, error, settings)
      const failure = classifyFailure(record)
      const asked = retryAfter(record.headers)
      const isLimited = isRateLimited(failure, record)
      if (isLimited) connection.pacer?.refused(sentAt, asked)
      const waitsForRate = maxRateLimitWaitMs > 0 && isLimited
      const waitMs = waitsForRate ? rateLimit.next(asked, heldMs) : waitBeforeAttempt(attempt, failure, record)
      if (waitMs === undefined) {
        const final = waitsForRate ? limitedTooLong(failure, maxRateLimitWaitMs) : failure
        throw inferenceError(await settings.explain(final, record), record, secrets)
      }
      settings.onRetry?.({ attempt, waitMs, error: inferenceError(failure, record, secrets) })
      if (!waitsForRate) attempt++
      // The pacer knows better when the next request may be sent.
      if (!waitsForRate || pacer === undefined) await context.sleep(waitMs, signal)
    }
  }

  /** Returns undefined if there is no further attempt. */
  function waitBeforeAttempt(attempt: number, failure: Failure, record: FailureRecord): number | undefined {
    const asked = retryAfter(record.headers)
    const longest = settings.maxRetryAfterMs ?? LONGEST_WAIT_MS
    const isLast = attempt > maxRetries || !isRepeatable(failure, record) || (asked ?? 0) > longest
    return isLast ? undefined : retryWait(attempt, context.random, asked)
  }
}

function limitedTooLong(failure: Failure, maxMs: number): Failure {
  const advice = `the rate limit did not end within the ${maxMs / 1000} s that a call waits for it; raise \`max_rate_limit_wait\`, or lower \`parallelism\``
  return { ...failure, advice }
}

/** Returns whether the request could not be written: nothing was sent and no connection failed. */
function isUnsendable({ status, broke, deadline }: Exchange): boolean {
  return status === null && broke === undefined && !deadline.isOver()
}

function unsendable(error: unknown, isText: boolean): AssayError {
  const reason = messageOf(error)
  return invalidRequest(
    [isText ? "prompt" : "messages"],
    `The request can't be written as JSON: ${reason}`,
    "json_invalid",
  )
}

const TIMING = { firstMs: 500, maxMs: 8000, spreadMs: 250 }

/**
 * Returns the milliseconds before repetition number `repetition`, counted from 1. It is never less than the endpoint requested;
 * without such a wait, it doubles each time.
 */
export function retryWait(repetition: number, random: () => number, askedMs: number | undefined): number {
  return retryDelay(repetition - 1, { ...TIMING, random }, askedMs)
}

interface RateLimitWaitOptions {
  /** Maximum number of milliseconds that the call waits for rate limits in total. 0: it never waits. */
  readonly maxMs: number
  /** Returns milliseconds. */
  readonly now: () => number
  /** Returns a number from 0 to 1, for jitter. */
  readonly random: () => number
}

/** Counts how long one call waits for rate limits. */
export interface RateLimitWait {
  /**
   * Returns the milliseconds to wait before the next attempt, if the server requested `askedMs`. Returns undefined if the time is
   * used up, or if the server requests more than is left.
   * @param heldMs how long a pacer has held the call back so far, which is not a wait for its own refusals
   */
  next(askedMs: number | undefined, heldMs?: number): number | undefined
}

/** The minimum wait grows by this each time, so that `Retry-After: 0` does not lead to a busy loop. */
const STEP_MS = 100
const LONGEST_STEP_MS = 1000

/**
 * Creates the counter for one call. The time starts with the first refusal and includes the time that the server takes to
 * refuse. `Retry-After` is obeyed; without it the wait doubles each time, with jitter.
 */
export function createRateLimitWait({ maxMs, now, random }: RateLimitWaitOptions): RateLimitWait {
  let firstAt: number | undefined
  let waitedMs = 0
  let refusals = 0
  return {
    next(askedMs, heldMs = 0) {
      // As if the call had not been held back.
      const at = now() - heldMs
      firstAt ??= at
      const leftMs = maxMs - Math.max(waitedMs, at - firstAt)
      if (leftMs <= 0 || (askedMs ?? 0) > leftMs) return undefined
      refusals += 1
      const least = Math.min(LONGEST_STEP_MS, STEP_MS * refusals)
      const asked = askedMs === undefined ? undefined : Math.max(askedMs, least)
      const waitMs = Math.min(leftMs, retryWait(refusals, random, asked))
      waitedMs += waitMs
      return waitMs
    },
  }
}
