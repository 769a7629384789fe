import type { AssayError } from "@assay/schemas"
import type { HttpResponse } from "@assay/http"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { remoteRetryDelay } from "../remote/send-with-retry.ts"
import { send, type ObjstoreRequest } from "./client.ts"
import { refusalError } from "./errors.ts"
import type { ObjstoreContext } from "./objstore-context.ts"
import { parseRefusal, readRefusal, type Refusal } from "./refusal.ts"

const ATTEMPTS = 4
/** A page of a thousand keys, each as long as it may be and percent-encoded, has about 4 MiB. */
const MAX = 16 * 1024 * 1024
/** Errors that come with status 200, where the answer had begun before it was known how it ends. */
const PASSING = new Set(["InternalError", "ServiceUnavailable", "SlowDown", "RequestTimeout", "OperationAborted"])

export interface DocumentOptions {
  /** The name of its outermost element. */
  readonly root: string
  readonly target: RemoteTarget
  readonly signal?: AbortSignal | undefined
  /** Called with each piece of the answer. */
  readonly onProgress?: (() => void) | undefined
  /** Default: `refusalError`. */
  readonly errorOf?: (refusal: Refusal) => AssayError
}

/**
 * The XML document that answers a request, from its root to its end. What breaks off, and what turns out to be an error of
 * the moment, is asked for again; the request has to bear that.
 * @throws what a store refuses; `upstream_failed` for what is no such document
 */
export async function askDocument(
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
    if (attempt === ATTEMPTS || !(isHalf || PASSING.has(refusal.code))) {
      if (!isHalf) throw errorOf(refusal)
      throw remoteError("upstream_failed", target, `its answer broke off ${ATTEMPTS} times; try again later.`)
    }
    await store.remote.sleep(remoteRetryDelay(attempt - 1, store.remote.random), signal)
  }
}

/** And not the page of a proxy. */
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
      if (size > MAX) break
    }
  } catch {
    signal?.throwIfAborted()
    isCut = true
  }
  return { text: Buffer.concat(pieces).toString("utf8"), isCut }
}
