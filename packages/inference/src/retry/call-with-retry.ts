import { isAssayError, invalidRequest, type AssayError } from "@assay/schemas"
import { classifyFailure } from "../failures/classify-failure.ts"
import type { Failure, FailureRecord } from "../failures/failure.ts"
import { inferenceError } from "../failures/inference-error.ts"
import { recordFailure } from "../failures/record-failure.ts"
import type { CallOptions } from "../inference-client.ts"
import type { InferenceContext } from "../inference-context.ts"
import { startDeadline } from "../transport/deadline.ts"
import { startExchange, type Exchange } from "../transport/exchange.ts"
import type { Connection } from "../transport/open-connection.ts"
import { isRepeatable } from "./is-repeatable.ts"
import { retryAfter } from "./retry-after.ts"
import { retryWait } from "./retry-wait.ts"

/** Who asks for a longer wait is not waited for. */
const LONGEST_WAIT_MS = 60_000

export interface RetrySettings {
  readonly connection: Connection
  readonly context: InferenceContext
  readonly model: string
  readonly hasKey: boolean
  readonly secrets: readonly string[]
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly signal: AbortSignal | undefined
  readonly onRetry: CallOptions["onRetry"]
  readonly isStreamed: boolean
  /** Finds out more about a failure that is final. */
  readonly explain: (failure: Failure, record: FailureRecord) => Promise<Failure>
}

export interface Done<T> {
  readonly value: T
  readonly attempts: number
  /** Its deadline still runs where the answer is streamed. */
  readonly exchange: Exchange
}

/** Tries `work` until it succeeds, until trying again can't help, or until there were enough tries. */
export async function callWithRetry<T>(
  settings: RetrySettings,
  work: (exchange: Exchange) => Promise<T>,
): Promise<Done<T>> {
  const { connection, context, signal, timeoutMs, maxRetries, isStreamed, secrets } = settings
  for (let attempt = 1; ; attempt++) {
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
      const isLast = attempt > maxRetries || !isRepeatable(failure, record) || (asked ?? 0) > LONGEST_WAIT_MS
      if (isLast) throw inferenceError(await settings.explain(failure, record), record, secrets)
      const waitMs = retryWait(attempt, context.random, asked)
      settings.onRetry?.({ attempt, waitMs, error: inferenceError(failure, record, secrets) })
      await context.sleep(waitMs, signal)
    }
  }
}

/** Nothing was sent, and nothing broke: the request itself could not be written. */
function isUnsendable({ status, broke, deadline }: Exchange): boolean {
  return status === null && broke === undefined && !deadline.isOver()
}

function unsendable(error: unknown): AssayError {
  const reason = error instanceof Error ? error.message : String(error)
  return invalidRequest(["messages"], `The request can't be written as JSON: ${reason}`, "json_invalid")
}
