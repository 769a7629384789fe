import { networkReason, type HttpHeaders, type HttpRequest, type HttpResponse } from "@assay/http"
import { isAssayError } from "@assay/schemas"
import { AssayError, messageOf } from "@assay/schemas/errors"
import { cleanMessage, remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { sendWithRetry } from "../remote/send-with-retry.ts"
import type { ObjstoreContext } from "./context.ts"

/** A request to a bucket, without address and signature. */
export interface ObjstoreRequest {
  readonly method: HttpRequest["method"]
  /** Absent for requests to the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: HttpHeaders
  readonly body?: Uint8Array
}

/**
 * Sends a request, with a new signature for each attempt. Temporary failures are retried. Any other status is returned
 * to the caller. Redirects are not followed, because a signature is valid for one host.
 * @throws `upstream_failed` if there is no response; `upstream_refused` if there are no credentials
 */
export async function send(
  store: ObjstoreContext,
  request: ObjstoreRequest,
  target: RemoteTarget,
  signal?: AbortSignal,
): Promise<HttpResponse> {
  try {
    return await sendWithRetry(store.remote, () => signed(store, request, target), { signal })
  } catch (error) {
    if (!isAssayError(error, "upstream_failed")) throw error
    const cause = error.cause ?? error
    const what = `there was no response: ${networkReason(cause)}. Check \`endpoint_url\`, and that it can be reached from here.`
    throw remoteError("upstream_failed", target, what, cause)
  }
}

async function signed(store: ObjstoreContext, request: ObjstoreRequest, target: RemoteTarget): Promise<HttpRequest> {
  const { method, key, query = {}, headers = {}, body } = request
  const { origin, host, path: bucketPath } = store.address
  const path = key === undefined ? bucketPath || "/" : `${bucketPath}/${encodeKey(key)}`
  const search = encodeQuery(query)
  try {
    const all = await store.sign({ method, host, path, query, headers })
    return {
      method,
      origin,
      path: search === "" ? path : `${path}?${search}`,
      headers: all,
      ...(body === undefined ? {} : { body }),
    }
  } catch (error) {
    const why = cleanMessage(messageOf(error), store.secrets)
    const what = `there are no credentials to sign requests with (${why}). Give this machine credentials, or name both secrets.`
    const { code, message, context } = remoteError("upstream_refused", target, what)
    const remedy = "A machine has them in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, in ~/.aws, or by its role."
    throw new AssayError(code, message, { context: { ...context, remedy } })
  }
}

/**
 * Percent-encodes every byte of the UTF-8 text except the unreserved characters of RFC 3986, as both signatures
 * require.
 */
function encodePercent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Encodes a key for the path of a request. It is not normalized: `a//b`, `./a` and `a/../b` are three keys. */
export function encodeKey(key: string): string {
  return key.split("/").map(encodePercent).join("/")
}

export function encodeQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encodePercent(name)}=${encodePercent(value)}`)
    .join("&")
}
