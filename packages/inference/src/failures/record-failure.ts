import { removeSecrets } from "../remove-secrets.ts"
import type { Connection } from "../transport/open-connection.ts"
import type { Exchange } from "../transport/exchange.ts"
import type { FailureRecord } from "./failure.ts"

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
