import { retryAfter } from "@assay/http"
import { isAssayError, invalidRequest, type AssayError } from "@assay/schemas"
import { classifyFailure } from "../failures/classify-failure.ts"
import { recordFailure, type Failure, type FailureRecord } from "../failures/failure.ts"
import { inferenceError } from "../failures/inference-error.ts"
import type { CallOptions } from "../inference-client.ts"
import type { InferenceContext } from "../inference-context.ts"
import { startDeadline, startExchange, type Exchange } from "../transport/exchange.ts"
import type { Connection } from "../transport/open-connection.ts"
import { isRateLimited, isRepeatable } from "./is-repeatable.ts"
import { createRateLimitWait, retryWait } from "./retry-wait.ts"

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
  readonly signal: AbortSignal | undefined
  readonly onRetry: CallOptions["onRetry"]
  readonly isStreamed: boolean
  /** Finds out more about the failure of the last attempt. */
  readonly explain: (failure: Failure, record: FailureRecord) => Promise<Failure>
}

export interface Done<T> {
  readonly value: T
  /** Number of attempts, without rate-limited ones that were waited out. */
  readonly attempts: number
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
  const { connection, context, signal, timeoutMs, maxRetries, maxRateLimitWaitMs, isStreamed, secrets } = settings
  const rateLimit = createRateLimitWait({ maxMs: maxRateLimitWaitMs, ...context })
  for (let attempt = 1; ;) {
    signal?.throwIfAborted()
    const exchange = startExchange(startDeadline(timeoutMs, signal), isStreamed)
    try {
      const value = await work(exchange)
      if (!isStreamed) exchange.deadline.end()
      return { value, attempts: attempt, exchange }
    } catch (error) {
      exchange.deadline.cancel()
      signal?.throwIfAborted()
      if (isAssayError(error) || isUnsendable(exchange)) throw isAssayError(error) ? error : unsendable(error)
      const record = recordFailure(connection, exchange, error, settings)
      const failure = classifyFailure(record)
      const asked = retryAfter(record.headers)
      const waitsForRate = maxRateLimitWaitMs > 0 && isRateLimited(failure, record)
      const waitMs = waitsForRate ? rateLimit.next(asked) : waitBeforeAttempt(attempt, failure, record)
      if (waitMs === undefined) {
        const final = waitsForRate ? limitedTooLong(failure, maxRateLimitWaitMs) : failure
        throw inferenceError(await settings.explain(final, record), record, secrets)
      }
      settings.onRetry?.({ attempt, waitMs, error: inferenceError(failure, record, secrets) })
      if (!waitsForRate) attempt++
      await context.sleep(waitMs, signal)
    }
  }

  /** Returns undefined if there is no further attempt. */
  function waitBeforeAttempt(attempt: number, failure: Failure, record: FailureRecord): number | undefined {
    const asked = retryAfter(record.headers)
    const isLast = attempt > maxRetries || !isRepeatable(failure, record) || (asked ?? 0) > LONGEST_WAIT_MS
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

function unsendable(error: unknown): AssayError {
  const reason = error instanceof Error ? error.message : String(error)
  return invalidRequest(["messages"], `The request can't be written as JSON: ${reason}`, "json_invalid")
}
