import type { AssayError } from "@assay/schemas"
import { networkReason, readErrorText, readLimited, type HttpHeaders, type HttpResponse } from "@assay/http"
import type { RemoteContext } from "../remote/remote-context.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { remoteRetryDelay, sendWithRetry } from "../remote/send-with-retry.ts"
import { readAnswer, type CatalogAnswer } from "./answer.ts"
import type { ApiKey } from "./api-key.ts"
import { createAuthorization } from "./authorization.ts"
import { catalogError, type CatalogParty } from "./errors.ts"

/** The API of a catalog, as the owner of one key sees it. */
export interface CatalogClient extends CatalogParty {
  readonly remote: RemoteContext
  /** Sends a GET. A token that is refused is replaced once; redirects are not followed. */
  send(path: string, headers: HttpHeaders, signal?: AbortSignal): Promise<HttpResponse>
  /** Sends a GET and reads the JSON that is answered. @throws `upstream_failed` where none can be had */
  get(path: string, target: RemoteTarget, signal?: AbortSignal): Promise<CatalogAnswer>
  /** What an answer to `send` says, as far as it came. */
  read(response: HttpResponse): Promise<CatalogAnswer>
  error(answer: CatalogAnswer, target: RemoteTarget): AssayError
}

/** Bytes of a JSON answer at the most: a page of a thousand files has a few hundred thousand. */
const LONGEST = 64 * 1024 * 1024
/** How often an answer that breaks off is asked for in all. */
const ATTEMPTS = 3

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

  const readText = ({ status }: HttpResponse, text: string) => readAnswer(status, text, authorization.secrets())
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
          if (attempt === ATTEMPTS) {
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

/** The whole body: unlike what comes with an error, a listing must not be cut. */
async function wholeText({ body }: HttpResponse): Promise<string> {
  const { bytes, isTruncated } = await readLimited(body, LONGEST)
  if (isTruncated) throw new Error(`it has more than ${LONGEST} bytes`)
  return Buffer.from(bytes).toString("utf8")
}
