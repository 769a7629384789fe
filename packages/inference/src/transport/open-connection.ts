import { readErrorText } from "@assay/http"
import { AssayError } from "@assay/schemas"
import type { Dispatcher } from "undici"
import type { RequestPacer } from "../pacing/request-pacer.ts"
import type { ConnectionOptions, InferenceContext } from "../inference-context.ts"
import { resolveEndpointUrl, type EndpointUrl, type InferenceEndpoint } from "../inference-endpoint.ts"
import { type AbortFollowers, createAbortFollowers } from "./abort-followers.ts"
import { createEndpointSender, type SendToEndpoint } from "./endpoint-requests.ts"
import type { Exchange } from "./exchange.ts"
import type { Answer } from "./send-request.ts"

/** The connection to one endpoint. */
export interface Connection {
  readonly url: EndpointUrl
  readonly dispatcher: Dispatcher
  /** Holds back calls to the endpoint with the same key. */
  readonly pacer: RequestPacer | undefined
  /** Waits until the rate that a user has set lets another request leave. Undefined: there is none. */
  readonly belowCeiling: ((signal: AbortSignal | undefined) => Promise<void>) | undefined
  /** Sends a request and returns the text of its answer. @throws if the status is not 2xx, and what sending throws */
  readonly request: (request: TextRequest) => Promise<string>
  /** Sends a request and returns the body of its answer as it arrives. @throws what `request` throws */
  readonly stream: (request: TextRequest) => Promise<AsyncIterable<Uint8Array>>
  readonly followers: AbortFollowers
}

export interface TextRequest {
  readonly method: "GET" | "POST"
  /** Below the base of the URL. */
  readonly path: string
  readonly body: string | null
  readonly exchange: Exchange
}

/**
 * Opens the connection to an endpoint.
 * @throws `inference_unreachable` for an unusable URL, `inference_unauthorized` for an unusable key, `inference_tls` for an
 * unusable `ca`
 */
export async function openConnection(endpoint: InferenceEndpoint, context: InferenceContext): Promise<Connection> {
  const url = resolveEndpointUrl(endpoint.url)
  const authorization = bearer(endpoint)
  const { ca } = endpoint
  const dispatcher = context.openDispatcher?.({ ca }) ?? (await openOwnAgent({ ca }))
  const send = createEndpointSender(dispatcher, { authorization, room: context.answerRoom })
  const account = { base: url.base, apiKey: endpoint.apiKey?.trim() }
  const pacer = context.pacers?.of(account)
  const { ceiling } = context
  const sendText = createTextSender(url, send)
  return {
    url,
    dispatcher,
    pacer,
    belowCeiling: ceiling && ((signal) => ceiling.turn(account, signal)),
    followers: createAbortFollowers(),
    async request(request) {
      const { status, content } = await sendText(request)
      checkStatus(status)
      if (typeof content !== "string") throw new TypeError("The answer is a stream.")
      return content
    },
    async stream(request) {
      const { status, content } = await sendText(request)
      if (typeof content === "string") throw new TypeError("The answer is not a stream.")
      // Its text is recorded in the exchange.
      if (!isSuccess(status)) await readErrorText(content)
      checkStatus(status)
      return content
    },
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function checkStatus(status: number): void {
  if (!isSuccess(status)) throw new Error(`The status is ${status}.`)
}

/** Creates the function that sends requests below the base of a URL, with its query. */
function createTextSender(
  { base, query }: EndpointUrl,
  send: SendToEndpoint,
): (request: TextRequest) => Promise<Answer> {
  const { origin, pathname } = new URL(base)
  const root = pathname.replace(/\/$/, "")
  const pairs = Object.entries(query).map((pair) => pair.map(encodeURIComponent).join("="))
  const search = pairs.length === 0 ? "" : `?${pairs.join("&")}`
  return ({ path, ...request }) => send({ ...request, origin, path: root + path + search })
}

async function openOwnAgent({ ca }: ConnectionOptions): Promise<Dispatcher> {
  const { openAgent } = await import("@assay/http/node")
  return openAgent({ ca, allowH2: false })
}

function bearer({ apiKey }: InferenceEndpoint): string | null {
  // A key that was read from a file ends in a line break.
  const key = apiKey?.trim() ?? ""
  if (key === "") return null
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const message = "The key of the endpoint contains spaces or characters that a header can't hold; copy it again."
    throw new AssayError("inference_unauthorized", message)
  }
  return `Bearer ${key}`
}
