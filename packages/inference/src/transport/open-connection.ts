import { AssayError } from "@assay/schemas"
import type { OpenAI } from "openai"
import type { Dispatcher } from "undici"
import { resolveEndpointUrl, type EndpointUrl } from "../endpoint/resolve-endpoint-url.ts"
import type { InferenceContext } from "../inference-context.ts"
import type { InferenceEndpoint } from "../inference-endpoint.ts"
import { createRecordingFetch } from "./create-recording-fetch.ts"
import { openAgent } from "./open-agent.ts"
import { openSdk } from "./open-sdk.ts"

/** What calls of one endpoint go through. */
export interface Connection {
  readonly url: EndpointUrl
  readonly sdk: OpenAI
  readonly dispatcher: Dispatcher
}

/** @throws `inference_unreachable` for an unusable URL, `inference_unauthorized` for an unusable key, `inference_tls` for an unusable `ca` */
export async function openConnection(endpoint: InferenceEndpoint, context: InferenceContext): Promise<Connection> {
  const url = resolveEndpointUrl(endpoint.url)
  const authorization = bearer(endpoint)
  const options = endpoint.ca === undefined ? {} : { ca: endpoint.ca }
  const dispatcher = context.openDispatcher?.(options) ?? (await openAgent(options))
  const sdk = await openSdk(url, createRecordingFetch(dispatcher, { authorization, room: context.answerRoom }))
  return { url, sdk, dispatcher }
}

function bearer({ apiKey }: InferenceEndpoint): string | null {
  // A key read from a file ends in a line break.
  const key = apiKey?.trim() ?? ""
  if (key === "") return null
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const message =
      "The key of the endpoint has blanks or letters that no header can hold; copy it again as it was given."
    throw new AssayError("inference_unauthorized", message)
  }
  return `Bearer ${key}`
}
