import { isAssayError } from "@assay/schemas"
import { networkReason, readLimited, type HttpHeaders, type HttpRequest } from "@assay/http"
import type { RemoteContext } from "../remote/remote-context.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { remoteRetryDelay } from "../remote/send-with-retry.ts"
import { sendFollowing, type FollowedResponse } from "../remote/send-following.ts"
import { hubError, type HubParty } from "./errors.ts"

/** A hub, as one who may have a token sees it. */
export interface HubClient extends HubParty {
  readonly remote: RemoteContext
}

/** What is asked for: `origin` is the hub's own unless the hub has sent elsewhere. */
export interface HubQuestion extends Pick<HttpRequest, "path" | "body"> {
  readonly method?: "GET" | "POST"
  readonly origin?: string
  readonly headers?: HttpHeaders
}

/** A JSON answer of the hub, whole but not yet parsed. */
export interface HubText {
  readonly text: Buffer
  readonly headers: HttpHeaders
  /** Address that answered. */
  readonly url: string
}

/** Bytes of a JSON answer at the most: a page of a thousand files has a few hundred thousand. */
const LONGEST = 64 * 1024 * 1024
/** How often an answer that breaks off is asked for in all. */
const ATTEMPTS = 4

/** Sends a question and follows where it leads. The token goes to the hub alone. @throws `upstream_failed` */
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
      // Sizes and digests are those of what is stored.
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
 * Asks for JSON. An answer that breaks off is asked for again.
 * @throws what `hubError` makes of a refusal; `upstream_failed` for what is no JSON, too long, or breaks off each time
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
      throw noHub(target, `it answered with ${answer.headers["content-type"] ?? "no type"} in place of JSON`)
    }
    try {
      const text = await wholeText(answer, target)
      return { text, headers: answer.headers, url: answer.request.origin + answer.request.path }
    } catch (cause) {
      signal?.throwIfAborted()
      if (isAssayError(cause)) throw cause
      if (attempt === ATTEMPTS) {
        const what = `the answer broke off ${ATTEMPTS} times (${networkReason(cause)}); try again later.`
        throw remoteError("upstream_failed", target, what, cause)
      }
    }
    await client.remote.sleep(remoteRetryDelay(attempt - 1, client.remote.random), signal)
  }
}

/** The error for an answer that no hub gives, such as the page of a login. */
export function noHub(target: RemoteTarget, what: string, cause?: unknown): Error {
  const advice = "check that endpoint is the address of a hub, and that no proxy or login is in between."
  return remoteError("upstream_failed", target, `${what}; ${advice}`, cause)
}

async function wholeText({ body }: FollowedResponse, target: RemoteTarget): Promise<Buffer> {
  const { bytes, isTruncated } = await readLimited(body, LONGEST)
  if (isTruncated) throw noHub(target, `it answered with more than ${LONGEST} bytes`)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
