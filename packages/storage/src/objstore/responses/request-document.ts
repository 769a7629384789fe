import type { AssayError } from "@assay/schemas"
import type { HttpResponse } from "@assay/http"
import { remoteError, type RemoteTarget } from "../../remote/remote-error.ts"
import { remoteRetryDelay } from "../../remote/send-with-retry.ts"
import { send, type ObjstoreRequest } from "../client.ts"
import { refusalError } from "../errors.ts"
import type { ObjstoreContext } from "../context.ts"
import { parseRefusal, readRefusal, type Refusal } from "./refusal.ts"

const MAX_ATTEMPTS = 4
/** Limit in bytes. A page of a thousand percent-encoded keys of maximum length has about 4 MiB. */
const MAX_BYTES = 16 * 1024 * 1024
/** Temporary errors that can come with status 200, because the response started before its result was known. */
const TEMPORARY_CODES = new Set([
  "InternalError",
  "ServiceUnavailable",
  "SlowDown",
  "RequestTimeout",
  "OperationAborted",
])

export interface DocumentOptions {
  /** Name of the root element. */
  readonly root: string
  readonly target: RemoteTarget
  readonly signal?: AbortSignal | undefined
  /** Called for each piece of the response. */
  readonly onProgress?: (() => void) | undefined
  /** Default: `refusalError`. */
  readonly errorOf?: ((refusal: Refusal) => AssayError) | undefined
}

/**
 * Requests an XML document and returns it complete. A response that breaks off, or that contains a temporary error, is
 * requested again, so the request must be repeatable.
 * @throws the error for a refusal; `upstream_failed` for a response that is not such a document
 */
export async function requestDocument(
  store: ObjstoreContext,
  request: ObjstoreRequest,
  options: DocumentOptions,
): Promise<string> {
  const {
    root,
    target,
    signal,
    onProgress,
    errorOf = (refusal: Refusal) => refusalError(store, refusal, target),
  } = options
  for (let attempt = 1; ; attempt++) {
    const response = await send(store, request, target, signal)
    if (response.status !== 200) throw errorOf(await readRefusal(response))
    const { text, isCut } = await readDocument(response, { signal, onProgress })
    if (!isCut && text.trimEnd().endsWith(`</${root}>`)) return text
    const refusal = parseRefusal(response.status, response.headers, text)
    const isHalf = refusal.code === "" && (isCut || text.trim() === "" || isXml(text))
    if (attempt === MAX_ATTEMPTS || !(isHalf || TEMPORARY_CODES.has(refusal.code))) {
      if (!isHalf) throw errorOf(refusal)
      throw remoteError("upstream_failed", target, `its answer broke off ${MAX_ATTEMPTS} times; try again later.`)
    }
    await store.remote.sleep(remoteRetryDelay(attempt - 1, store.remote.random), signal)
  }
}

/** Returns whether a text is XML and not an HTML page of a proxy. */
function isXml(text: string): boolean {
  return /^\s*<\?xml/.test(text) && !/<html/i.test(text)
}

async function readDocument(
  { body }: HttpResponse,
  { signal, onProgress }: Pick<DocumentOptions, "signal" | "onProgress">,
): Promise<{ text: string; isCut: boolean }> {
  const pieces: Uint8Array[] = []
  let size = 0
  let isCut = false
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      onProgress?.()
      pieces.push(piece)
      size += piece.byteLength
      if (size > MAX_BYTES) break
    }
  } catch {
    signal?.throwIfAborted()
    isCut = true
  }
  return { text: Buffer.concat(pieces).toString("utf8"), isCut }
}
