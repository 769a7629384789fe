import type { Readable } from "node:stream"
import type { HttpHeaders } from "../http/transport.ts"

/** A backend's answer to a question for bytes. */
export interface RemoteAnswer {
  readonly status: 200 | 206 | 416
  readonly headers: HttpHeaders
  readonly body: Readable
}

/** One file of a remote backend, as its adapter asks for it. */
export interface RemoteSource {
  /**
   * Asks for bytes: `range` is the value of a `Range` header; without it, the whole file. After the first answer every
   * question carries its headers, so that it can be bound to the same version (`If-Match`). Retries what fails before
   * the first byte, and throws for every status but 200, 206 and 416.
   */
  ask(range: string | undefined, first: HttpHeaders | undefined, signal: AbortSignal): Promise<RemoteAnswer>
  /** What is the same exactly for the same content, such as an ETag; undefined where the backend tells nothing. */
  versionOf(headers: HttpHeaders): string | undefined
}
