import type { Readable } from "node:stream"

/** One request as it is sent. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE"
  /** Scheme, host and port, without a slash at its end. */
  readonly origin: string
  /** Path and query exactly as they are sent. Nothing is normalised: `a//b` and `a/../b` are names in an object store. */
  readonly path: string
  readonly headers: HttpHeaders
  /** A stream needs its length in `content-length`. */
  readonly body?: Uint8Array | Readable
  /** Whether a user named the origin. False for origins that the operator named or that a backend redirects to. Default false. */
  readonly isNamed?: boolean
}

/** Names are in lower case. */
export type HttpHeaders = Readonly<Record<string, string>>

/** The status and headers of a response whose body is still arriving. Read the body to its end or destroy it: it holds a connection. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HttpHeaders
  readonly body: Readable
}

/**
 * Sends one request once, without following redirects. The connection is closed when `signal` is aborted. Throws if no
 * connection is made, or if the peer is silent for too long.
 */
export type Transport = (request: HttpRequest, signal?: AbortSignal) => Promise<HttpResponse>

/** Converts the headers of a response: several values of one name are joined with `, `. */
export function flatHeaders(headers: NodeJS.Dict<string | string[]>): HttpHeaders {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = typeof value === "string" ? value : value.join(", ")
  }
  return flat
}
