import { AssayError } from "@assay/schemas"
import type { OpenAI } from "openai"
import type { Dispatcher } from "undici"
import type { ConnectionOptions, InferenceContext } from "../inference-context.ts"
import { resolveEndpointUrl, type EndpointUrl, type InferenceEndpoint } from "../inference-endpoint.ts"
import { createRecordingFetch } from "./recording-fetch.ts"

/** The connection to one endpoint. */
export interface Connection {
  readonly url: EndpointUrl
  readonly sdk: OpenAI
  readonly dispatcher: Dispatcher
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
  const sdk = await openSdk(url, createRecordingFetch(dispatcher, { authorization, room: context.answerRoom }))
  return { url, sdk, dispatcher }
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

/** Opens the SDK over our `fetch`, without its own retries, limits, logs and settings from environment variables. */
async function openSdk(url: EndpointUrl, fetch: typeof globalThis.fetch): Promise<OpenAI> {
  // Loaded at the first call: loading takes a tenth of a second.
  const { OpenAI } = await import("openai")
  return new OpenAI({
    baseURL: url.base,
    defaultQuery: { ...url.query },
    // The constructor demands a key. The real one is added by our `fetch`, so that no error of the SDK can contain it, and so
    // that no environment variable (OPENAI_CUSTOM_HEADERS) can replace it.
    apiKey: "added-by-the-transport",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
    fetch,
  })
}
