import { createInferenceClient, readKeyVariable, type InferenceContext } from "@assay/inference"
import type { ChatMessage, GuardrailData } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { inputModelOf } from "../certificates/candidates/input-prompt.ts"
import { DEFAULT_URL_VARIABLE, keyOfModel, type JudgeKeys } from "./open-local-guard.ts"

export interface PromptWriterOptions {
  /** The base configuration. */
  readonly data: GuardrailData
  /** The name of the model that writes prompts. */
  readonly model: string
  /** Its endpoint. Undefined: that of the judge of the base configuration, with its key. */
  readonly url: string | undefined
  /** PEM of additional trusted certificates. */
  readonly ca: string | undefined
  readonly keys: JudgeKeys
  readonly inference: InferenceContext
  readonly maxRateLimitWaitMs: number
}

/** A model that writes prompts. */
export interface PromptWriter {
  readonly url: string
  /** Asks once. Returns null if the model wrote nothing. @throws the error of the endpoint */
  readonly ask: (messages: readonly ChatMessage[], signal: AbortSignal) => Promise<string | null>
  readonly close: () => Promise<void>
}

/** A long answer with many prompts takes its time. */
const TIMEOUT_MS = 300_000

/** Opens the endpoint of a model that writes prompts. @throws `bad_usage` if it has no address, or a key is missing */
export function openPromptWriter({
  data,
  model,
  url: given,
  ca,
  keys,
  inference,
  maxRateLimitWaitMs,
}: PromptWriterOptions): PromptWriter {
  const judge = inputModelOf(data)
  const url = given ?? judge?.url ?? keys.env[DEFAULT_URL_VARIABLE]
  if (url === undefined || url === "") {
    throw new AssayError("bad_usage", `The model '${model}' has no address: name its endpoint with --propose-url.`)
  }
  // The key of the judge belongs to its own address.
  const apiKey =
    given === undefined && judge !== undefined
      ? keyOfModel({ ...judge, url }, keys)
      : readKeyVariable(keys, keys.defaultVariable, url)
  const endpoint = { url, model, apiKey, ca: ca ?? (given === undefined ? judge?.ca : undefined) }
  const client = createInferenceClient(endpoint, inference, { maxRateLimitWaitMs })
  return {
    url,
    ask: async (messages, signal) => (await client.complete({ messages }, { signal, timeoutMs: TIMEOUT_MS })).text,
    close: () => client.close(),
  }
}
