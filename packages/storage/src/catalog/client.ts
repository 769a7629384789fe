import { networkReason, readErrorText, type HttpHeaders, type HttpResponse } from "@assay/http"
import type { AssayError } from "@assay/schemas"
import type { RemoteContext } from "../remote/remote-context.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { remoteRetryDelay, sendWithRetry } from "../remote/send-with-retry.ts"
import { readApiResponse, type ApiResponse } from "./api-response.ts"
import { createAuthorization, type ApiKey } from "./authorization.ts"
import { catalogError, type CatalogParty } from "./errors.ts"

/** The API of a catalog for the owner of one key. */
export interface CatalogClient extends CatalogParty {
  readonly remote: RemoteContext
  /** Sends a GET request. A refused token is renewed once. Redirects are not followed. */
  send(path: string, headers: HttpHeaders, signal?: AbortSignal): Promise<HttpResponse>
  /**
   * Sends a GET request and reads the JSON response.
   * @throws `upstream_failed` if there is none
   */
  get(path: string, target: RemoteTarget, signal?: AbortSignal): Promise<ApiResponse>
  /** Reads a response of `send`, up to a limit. */
  read(response: HttpResponse): Promise<ApiResponse>
  error(answer: ApiResponse, target: RemoteTarget): AssayError
}

/** Maximum size of a JSON response in bytes. A page of a thousand files has a few hundred thousand. */
const MAX_BYTES = 64 * 1024 * 1024
/** Maximum number of requests for a response that breaks off. */
const MAX_ATTEMPTS = 3

export function createCatalogClient(
  remote: RemoteContext,
  party: CatalogParty & { readonly key: ApiKey },
): CatalogClient {
  const { asset, secret, key } = party
  const authorization = createAuthorization({ remote, asset, secret, key })

  async function send(path: string, headers: HttpHeaders, signal?: AbortSignal): Promise<HttpResponse> {
    let used = await authorization.get(signal)
    for (let renewed = false; ; renewed = true) {
      const all = { ...headers, authorization: used }
      const response = await sendWithRetry(
        remote,
        () => ({ method: "GET", origin: asset.origin, path, headers: all }),
        {
          signal,
        },
      )
      const other = response.status === 401 && !renewed ? await authorization.renew(used, signal) : undefined
      if (other === undefined) return response
      response.body.destroy()
      used = other
    }
  }

  const readText = ({ status }: HttpResponse, text: string) => readApiResponse(status, text, authorization.secrets())
  const read = async (response: HttpResponse) => readText(response, await readErrorText(response.body))

  return {
    remote,
    asset,
    secret,
    send,
    read,
    async get(path, target, signal) {
      for (let attempt = 1; ; attempt += 1) {
        const response = await send(path, { accept: "application/json" }, signal)
        try {
          const isWhole = response.status === 200
          const answer = isWhole ? readText(response, await wholeText(response)) : await read(response)
          signal?.throwIfAborted()
          return answer
        } catch (cause) {
          signal?.throwIfAborted()
          if (attempt === MAX_ATTEMPTS) {
            const what = `the answer broke off (${networkReason(cause)}); try again later.`
            throw remoteError("upstream_failed", target, what, cause)
          }
          await remote.sleep(remoteRetryDelay(attempt - 1, remote.random), signal)
        }
      }
    },
    error: (answer, target) => catalogError(answer, target, party),
  }
}

/** Reads the whole body. Unlike the body of an error, a listing must not be truncated. */
async function wholeText({ body }: HttpResponse): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    pieces.push(piece)
    size += piece.byteLength
    if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`)
  }
  return Buffer.concat(pieces).toString("utf8")
}
