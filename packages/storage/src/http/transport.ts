import type { Readable } from "node:stream"

/** One request, as it goes out. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE"
  /** Scheme, host and port, without a slash at its end. */
  readonly origin: string
  /** Path and query exactly as they are sent: nothing is normalised, since `a//b` and `a/../b` are names to an object store. */
  readonly path: string
  readonly headers: HttpHeaders
  /** A stream needs its length in `content-length`. */
  readonly body?: Uint8Array | Readable
  /** Whether a user named the origin. False for origins to which a backend leads, and for those of the operator. Default false. */
  readonly isNamed?: boolean
}

/** Names in lower case. */
export type HttpHeaders = Readonly<Record<string, string>>

/** The head of an answer, and its body on the way. Bodies must be read to their end or destroyed: each holds a connection. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HttpHeaders
  readonly body: Readable
}

/**
 * Sends one request over the network, once. Follows no redirect, and ends the connection when `signal` is aborted. A
 * connection that can't be made, or falls silent for too long, is an error.
 */
export type Transport = (request: HttpRequest, signal?: AbortSignal) => Promise<HttpResponse>
