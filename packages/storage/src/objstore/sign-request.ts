import type { HttpHeaders } from "@assay/http"

/** A request to a bucket before it is signed. */
export interface UnsignedRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE"
  /** Host, with its port unless it is the usual one. */
  readonly host: string
  /** Path as it is sent, without the query. */
  readonly path: string
  /** Names and values, not encoded. */
  readonly query: Readonly<Record<string, string>>
  readonly headers: HttpHeaders
}

/** All headers with which a request is sent: its own, and those that sign it. */
export type SignRequest = (request: UnsignedRequest) => Promise<HttpHeaders>
