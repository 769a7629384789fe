import { isAssayError } from "@assay/schemas"
import { networkReason, type HttpHeaders, type HttpRequest } from "@assay/http"
import type { RemoteContext } from "../remote/remote-context.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { sendFollowing, type FollowedResponse } from "../remote/send-following.ts"
import { remoteRetryDelay } from "../remote/send-with-retry.ts"
import { hubError, type HubParty } from "./errors.ts"

/** A hub, for the owner of a token or for anonymous access. */
export interface HubClient extends HubParty {
  readonly remote: RemoteContext
}

/** A request. `origin` is the hub, unless the hub redirected to another host. */
export interface HubQuestion extends Pick<HttpRequest, "path" | "body"> {
  readonly method?: "GET" | "POST"
  readonly origin?: string
  readonly headers?: HttpHeaders
}

/** A complete JSON response of the hub, not yet parsed. */
export interface HubText {
  readonly text: Buffer
  readonly headers: HttpHeaders
  /** Address of the response, after redirects. */
  readonly url: string
}

/** Maximum size of a JSON response in bytes. A page of a thousand files has a few hundred thousand. */
const MAX_BYTES = 64 * 1024 * 1024
/** Maximum number of requests for a response that breaks off. */
const MAX_ATTEMPTS = 4

/**
 * Sends a request and follows redirects. The token is sent only to the hub.
 * @throws `upstream_failed`
 */
export async function sendToHub(
  client: HubClient,
  question: HubQuestion,
  target: RemoteTarget,
  signal?: AbortSignal,
): Promise<FollowedResponse> {
  const { repository, token, remote } = client
  const { method = "GET", origin = repository.origin, path, body } = question
  const isHub = origin === repository.origin
  const request: HttpRequest = {
    method,
    origin,
    path,
    headers: {
      // Ask for the bytes as stored, so that sizes and digests apply to them.
      "accept-encoding": "identity",
      ...question.headers,
      ...(token === undefined || !isHub ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body }),
  }
  try {
    return await sendFollowing(remote, () => request, { signal })
  } catch (error) {
    if (signal?.aborted === true || !isAssayError(error, "upstream_failed")) throw error
    throw remoteError("upstream_failed", target, error.message.replace(/^No/, "no"), error)
  }
}

/**
 * Requests JSON. A response that breaks off is requested again.
 * @throws the result of `hubError` for a refusal; `upstream_failed` for a response that is not JSON, is too long, or
 * breaks off each time
 */
export async function askForJson(
  client: HubClient,
  question: HubQuestion,
  target: RemoteTarget,
  signal?: AbortSignal,
): Promise<HubText> {
  const headers = { accept: "application/json", ...question.headers }
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sendToHub(client, { ...question, headers }, target, signal)
    if (answer.status !== 200) throw await hubError(client, target, answer)
    if (!/^application\/(\w+\+)?json\b/i.test(answer.headers["content-type"] ?? "")) {
      answer.body.destroy()
      throw notAHubError(target, `it returned ${answer.headers["content-type"] ?? "no type"} instead of JSON`)
    }
    try {
      const text = await wholeText(answer, target)
      return { text, headers: answer.headers, url: answer.request.origin + answer.request.path }
    } catch (cause) {
      signal?.throwIfAborted()
      if (isAssayError(cause)) throw cause
      if (attempt === MAX_ATTEMPTS) {
        const what = `the answer broke off ${MAX_ATTEMPTS} times (${networkReason(cause)}); try again later.`
        throw remoteError("upstream_failed", target, what, cause)
      }
    }
    await client.remote.sleep(remoteRetryDelay(attempt - 1, client.remote.random), signal)
  }
}

/** Returns the error for a response that does not come from a hub, such as a login page. */
export function notAHubError(target: RemoteTarget, what: string, cause?: unknown): Error {
  const advice = "check that endpoint is the address of a hub, and that no proxy or login is in between."
  return remoteError("upstream_failed", target, `${what}; ${advice}`, cause)
}

async function wholeText({ body }: FollowedResponse, target: RemoteTarget): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    pieces.push(piece)
    size += piece.byteLength
    if (size > MAX_BYTES) throw notAHubError(target, `it returned more than ${MAX_BYTES} bytes`)
  }
  return Buffer.concat(pieces)
}
