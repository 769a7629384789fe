import type { OpenAI } from "openai"
import type { EndpointUrl } from "../endpoint/resolve-endpoint-url.ts"

/** Longer than any limit of ours. */
const NEVER_MS = 2 ** 31 - 1

/** The SDK over a `fetch` of ours, without retries, limits, logs and settings from the environment of its own. */
export async function openSdk(url: EndpointUrl, fetch: typeof globalThis.fetch): Promise<OpenAI> {
  // Loaded at the first call: it takes a tenth of a second.
  const { OpenAI } = await import("openai")
  return new OpenAI({
    baseURL: url.base,
    defaultQuery: { ...url.query },
    // The key is added below the SDK, so that no error of the SDK can hold it.
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
