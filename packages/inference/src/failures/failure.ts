import type { INFERENCE_ERRORS } from "@assay/schemas"
import { removeSecrets } from "../remove-secrets.ts"
import type { Exchange } from "../transport/exchange.ts"
import type { Connection } from "../transport/open-connection.ts"

export type InferenceErrorCode = keyof typeof INFERENCE_ERRORS

/** Why a call failed. */
export interface Failure {
  readonly code: InferenceErrorCode
  /** What happened, as the first half of a sentence. */
  readonly reason: string
  /** What to do, as the second half. */
  readonly advice: string
  /** What the code calls for, as it goes into the error's context. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/** All that is known of a call that failed. Texts in it are free of secrets. */
export interface FailureRecord {
  readonly url: string
  readonly protocol: "http:" | "https:"
  /** Host and port. */
  readonly host: string
  readonly model: string
  readonly hasKey: boolean
  /** How it broke below HTTP, or undefined where an answer was read to its end. */
  readonly broke: unknown
  /** The limit that was over, in milliseconds. */
  readonly timedOutMs: number | null
  /** Null where no answer began. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  /** The first 4 KiB. */
  readonly body: string
}

const KEPT = 4096

export interface RecordOptions {
  readonly model: string
  readonly hasKey: boolean
  readonly secrets: readonly string[]
  readonly timeoutMs: number
}

/** What is kept of an exchange that failed with `error`. */
export function recordFailure(
  { url }: Pick<Connection, "url">,
  exchange: Exchange,
  error: unknown,
  { model, hasKey, secrets, timeoutMs }: RecordOptions,
): FailureRecord {
  // Cleaned before it is cut, or half a secret would stay at the end.
  const text = removeSecrets((streamedError(exchange, error) ?? exchange.text).slice(0, 2 * KEPT), secrets)
  const name = url.hostname.includes(":") ? `[${url.hostname}]` : url.hostname
  return {
    url: url.shown,
    protocol: url.protocol,
    host: `${name}:${url.port}`,
    model,
    hasKey,
    broke: exchange.broke,
    timedOutMs: exchange.deadline.isOver() ? timeoutMs : null,
    status: exchange.status,
    headers: exchange.headers,
    body: text.slice(0, KEPT),
  }
}

/** An error that came as an event of a stream, which the SDK gives as `error` of its own. */
function streamedError({ isStreamed, status }: Exchange, error: unknown): string | undefined {
  if (!isStreamed || status !== 200 || !(error instanceof Error) || !("error" in error)) return undefined
  const { error: said } = error
  return typeof said === "object" && said !== null ? JSON.stringify({ error: said }) : undefined
}
