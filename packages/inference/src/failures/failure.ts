import type { INFERENCE_ERRORS } from "@assay/schemas"
import { FailedAnswer } from "../answers/failed-answer.ts"
import { removeSecrets } from "../remove-secrets.ts"
import type { Exchange } from "../transport/exchange.ts"
import type { Connection } from "../transport/open-connection.ts"

export type InferenceErrorCode = keyof typeof INFERENCE_ERRORS

/** Why a call failed. */
export interface Failure {
  readonly code: InferenceErrorCode
  /** The failure: the first half of a sentence. */
  readonly reason: string
  /** The remedy: the second half of the sentence. */
  readonly advice: string
  /** Facts that belong to the code. They go into the context of the error. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** The status that a failure inside a 200 has. Default: the one of the record. */
  readonly status?: number
}

/** The facts about a failed call. Its texts contain no secrets. */
export interface FailureRecord {
  readonly url: string
  readonly protocol: "http:" | "https:"
  /** Host and port. */
  readonly host: string
  readonly model: string
  readonly hasKey: boolean
  /** Whether the request was about a text, and not about a chat. */
  readonly isText: boolean
  /** The error below HTTP. Undefined: the answer was read to its end. */
  readonly broke: unknown
  /** The time limit that was exceeded, in milliseconds. Null: it was not. */
  readonly timedOutMs: number | null
  /** Null: no answer began. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  /** The first 4 KiB. */
  readonly body: string
}

const KEPT = 4096

export interface RecordOptions {
  readonly model: string
  readonly hasKey: boolean
  readonly isText: boolean
  readonly secrets: readonly string[]
  readonly timeoutMs: number
}

/** Records an exchange that failed with `error`. */
export function recordFailure(
  { url }: Pick<Connection, "url">,
  exchange: Exchange,
  error: unknown,
  { model, hasKey, isText, secrets, timeoutMs }: RecordOptions,
): FailureRecord {
  // Secrets are removed before the text is cut: half a secret at its end would not be recognised.
  const text = removeSecrets((error instanceof FailedAnswer ? error.body : exchange.text).slice(0, 2 * KEPT), secrets)
  const name = url.hostname.includes(":") ? `[${url.hostname}]` : url.hostname
  return {
    url: url.shown,
    protocol: url.protocol,
    host: `${name}:${url.port}`,
    model,
    hasKey,
    isText,
    broke: exchange.broke,
    timedOutMs: exchange.deadline.isOver() ? timeoutMs : null,
    status: exchange.status,
    headers: exchange.headers,
    body: text.slice(0, KEPT),
  }
}
