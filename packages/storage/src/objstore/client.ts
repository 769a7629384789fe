import { isAssayError } from "@assay/schemas"
import { networkReason, type HttpHeaders, type HttpRequest, type HttpResponse } from "@assay/http"
import { cleanMessage } from "../remote/clean-message.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { sendWithRetry } from "../remote/send-with-retry.ts"
import type { ObjstoreContext } from "./objstore-context.ts"
import { encodeKey, encodeQuery } from "./percent-encoding.ts"

/** One request to a bucket, before it has an address and a signature. */
export interface ObjstoreRequest {
  readonly method: HttpRequest["method"]
  /** Absent for the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: HttpHeaders
  readonly body?: Uint8Array
}

/**
 * Sends a request, signed anew for each attempt. Retries what fails without a last word; any other status is the
 * caller's to judge. Redirects are not followed: a signature is meant for one host.
 * @throws `upstream_failed` where no answer comes, `upstream_refused` where nothing is there to sign with
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
    const what = `no answer came: ${networkReason(cause)}. Check \`endpoint_url\`, and that it can be reached from here.`
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
    const why = cleanMessage(error instanceof Error ? error.message : String(error), store.secrets)
    const what = `nothing is there to sign requests with (${why}). Give this machine credentials, or name both secrets.`
    throw remoteError("upstream_refused", target, what)
  }
}
