import { retryAfter, retryDelay, type FetchBody, type FetchInit, type FetchResponse } from "@assay/http"
import type { ClientOptions, RetryOptions } from "../client-options.ts"
import { isBroken, networkFailure, readFailure, type CallAddress } from "./read-failure.ts"
import { queryString, type Query } from "./route.ts"

export interface Call {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** The encoded path below the address of the server. */
  readonly path: string
  readonly query?: Query
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: FetchBody
  readonly signal?: AbortSignal | undefined
}

/** Sends a call and returns the successful response with its body unread. Every failure is an `AssayError`. */
export type Exchange = (call: Call) => Promise<FetchResponse>

const IDEMPOTENT = new Set(["GET", "HEAD", "PUT", "DELETE"])
const SAFE = new Set(["GET", "HEAD"])
const BUSY = new Set([429, 503])

/**
 * Creates the function that every call goes through. Idempotent calls whose body can be sent again are repeated after 429 and
 * 503, safe calls also after a broken connection.
 */
export function createExchange(options: ClientOptions): Exchange {
  const { url, retry, token } = options
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }

  async function attempt(call: Call, address: CallAddress): Promise<FetchResponse> {
    const init: FetchInit = {
      method: call.method,
      headers: { ...authorization, ...call.headers },
      redirect: "manual",
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      ...(call.body === undefined ? {} : { body: call.body }),
      ...(isWhole(call.body) ? {} : { duplex: "half" as const }),
    }
    try {
      return await options.fetch(address.url, init)
    } catch (error) {
      throw networkFailure(error, address, call.signal)
    }
  }

  /** Returns the milliseconds before the next attempt, or undefined if there is none. */
  function delayAfter(tries: number, call: Call, failure: unknown, response?: FetchResponse): number | undefined {
    if (retry === undefined || tries >= (retry.limit ?? 3) || !isWhole(call.body)) return undefined
    const again =
      response === undefined
        ? SAFE.has(call.method) && isBroken(failure)
        : IDEMPOTENT.has(call.method) && BUSY.has(response.status)
    return again ? clientRetryDelay(tries, retry, response) : undefined
  }

  return async (call) => {
    const address = { method: call.method, url: `${url}${call.path}${queryString(call.query)}` }
    for (let tries = 0; ; tries += 1) {
      call.signal?.throwIfAborted()
      let failure: unknown
      let response: FetchResponse | undefined
      try {
        response = await attempt(call, address)
        if (response.status >= 200 && response.status < 300) return response
        failure = await readFailure(response, address)
      } catch (error) {
        failure = error
      }
      const delay = delayAfter(tries, call, failure, response)
      if (delay === undefined) throw failure
      await retry?.sleep(delay, call.signal)
    }
  }
}

function isWhole(body: FetchBody | undefined): boolean {
  return body === undefined || typeof body === "string" || body instanceof Uint8Array || body instanceof Blob
}

/**
 * Returns the milliseconds before repetition number `repetition`, counted from 0, or undefined if the server asks for a longer
 * wait than `maxDelay`.
 */
export function clientRetryDelay(
  repetition: number,
  { baseDelay = 300, maxDelay = 30_000, random }: RetryOptions,
  response?: FetchResponse,
): number | undefined {
  const askedMs = response === undefined ? undefined : retryAfter(response.headers)
  if (askedMs !== undefined && askedMs > maxDelay) return undefined
  return retryDelay(repetition, { firstMs: baseDelay, maxMs: maxDelay, spreadMs: baseDelay, random }, askedMs)
}
