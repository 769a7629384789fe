import { AssayError, invalidRequest, isAssayError, type GuardrailData, type GuardrailModel } from "@assay/schemas"
import { createInferenceClient, type InferenceClient } from "@assay/inference"
import type { GuardrailContext } from "../guardrail.ts"
import { createEndpointMemories, type EndpointMemory } from "./endpoint-memory.ts"

/** A model that can be asked. */
export interface OpenModel {
  readonly client: InferenceClient
  readonly memory: EndpointMemory
  readonly model: string
  /** As the configuration has them. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface OpenModels {
  /** @throws `invalid_request` where the model has no address, or there is none of this type */
  get(type: string): OpenModel
  close(): Promise<void>
}

/**
 * Opens a client for each model that has an address.
 * @throws `secret_not_readable`
 */
export async function openModels(data: GuardrailData, context: GuardrailContext): Promise<OpenModels> {
  const memoryOf = createEndpointMemories()
  const opened = new Map<string, OpenModel>()
  const clients: InferenceClient[] = []

  async function open({ type, model, url, api_key_secret, ca, parameters = {} }: GuardrailModel): Promise<void> {
    if (model === undefined || url === undefined) return
    const refusal = refusalOf(type, url, context)
    const memory = memoryOf(url, model)
    if (refusal !== null) {
      opened.set(type, { client: refusedClient(refusal), memory, model, parameters })
      return
    }
    const apiKey = api_key_secret === undefined ? undefined : await context.resolveSecret(api_key_secret)
    const endpoint = { url, model, ...(apiKey === undefined ? {} : { apiKey }), ...(ca === undefined ? {} : { ca }) }
    const client = createInferenceClient(endpoint, context.inference, context.inferenceDefaults)
    clients.push(client)
    opened.set(type, { client, memory, model, parameters })
  }

  const close = async () => {
    await Promise.all(clients.map((client) => client.close()))
  }
  const results = await Promise.allSettled(data.models.map(open))
  const failed = results.find((result) => result.status === "rejected")
  if (failed !== undefined) {
    await close()
    throw failed.reason
  }
  return {
    get(type) {
      const model = opened.get(type)
      if (model !== undefined) return model
      const msg = `the model of type '${type}' has no address; give \`models\` with type '${type}', url and model`
      throw invalidRequest(["body", "guardrails", "models"], msg, "missing_model")
    },
    close,
  }
}

function refusalOf(type: string, url: string, { checkEndpoint }: GuardrailContext): AssayError | null {
  try {
    checkEndpoint?.(url)
    return null
  } catch (error) {
    if (!isAssayError(error, "host_not_allowed")) throw error
    const message = `The endpoint of model '${type}' may not be asked. ${error.message}`
    return new AssayError("inference_unreachable", message, { cause: error, context: { model: type } })
  }
}

/** In place of a client for an endpoint that may not be asked: failing is left to the policy of whatever asks. */
function refusedClient(refusal: AssayError): InferenceClient {
  const fail = () => Promise.reject(refusal)
  return {
    complete: fail,
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) }),
    listModels: fail,
    close: () => Promise.resolve(),
  }
}
