import { AssayError } from "@assay/schemas"
import type { OpenAI } from "openai"
import type { Dispatcher } from "undici"
import type { RequestPacer } from "../pacing/request-pacer.ts"
import type { ConnectionOptions, InferenceContext } from "../inference-context.ts"
import { resolveEndpointUrl, type EndpointUrl, type InferenceEndpoint } from "../inference-endpoint.ts"
import { type AbortFollowers, createAbortFollowers } from "./abort-followers.ts"
import { createEndpointSender, type SendToEndpoint } from "./endpoint-requests.ts"
import type { Exchange } from "./exchange.ts"
import { createSdkFetch } from "./sdk-fetch.ts"

/** The connection to one endpoint. */
export interface Connection {
  readonly url: EndpointUrl
  readonly dispatcher: Dispatcher
  /** Holds back calls to the endpoint with the same key. */
  readonly pacer: RequestPacer | undefined
  /** Sends a request and returns the text of its answer. @throws if the status is not 2xx, and what sending throws */
  readonly request: (request: TextRequest) => Promise<string>
  readonly followers: AbortFollowers
  /** Opens the SDK, which reads streamed answers. */
  readonly openSdk: () => Promise<OpenAI>
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
  let opening: Promise<OpenAI> | undefined
  const pacer = context.pacers?.of({ base: url.base, apiKey: endpoint.apiKey?.trim() })
  const request = createRequest(url, send)
  const followers = createAbortFollowers()
  return { url, dispatcher, pacer, request, followers, openSdk: () => (opening ??= openSdk(url, send)) }
}

/**
 * Creates the function for answers that are one JSON text. They bypass the SDK, which only reads streams: with the SDK, a call takes
 * 380 µs of processor time, without it 150 µs (Node 24, loopback server), and loading the SDK takes 40 ms.
 */
function createRequest({ base, query }: EndpointUrl, send: SendToEndpoint): Connection["request"] {
  const { origin, pathname } = new URL(base)
  const root = pathname.replace(/\/$/, "")
  const pairs = Object.entries(query).map((pair) => pair.map(encodeURIComponent).join("="))
  const search = pairs.length === 0 ? "" : `?${pairs.join("&")}`
  return async ({ path, ...request }) => {
    const { status, content } = await send({ ...request, origin, path: root + path + search })
    if (status < 200 || status >= 300) throw new Error(`The status is ${status}.`)
    if (typeof content !== "string") throw new TypeError("The answer is a stream.")
    return content
  }
}

async function openOwnAgent({ ca }: ConnectionOptions): Promise<Dispatcher> {
  const { openAgent } = await import("@assay/http/agent")
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

/** Longer than every limit of ours. */
const NEVER_MS = 2 ** 31 - 1

/** Opens the SDK over our sender, without its own retries, limits, logs and settings from environment variables. */
async function openSdk(url: EndpointUrl, send: SendToEndpoint): Promise<OpenAI> {
  // Loaded at the first stream.
  const { OpenAI } = await import("openai")
  return new OpenAI({
    baseURL: url.base,
    defaultQuery: { ...url.query },
    // The constructor demands a key. The real one is added by our sender, so that no error of the SDK can contain it, and so
    // that no environment variable (OPENAI_CUSTOM_HEADERS) can replace it.
    apiKey: "added-by-the-transport",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
    fetch: createSdkFetch(send),
  })
}
