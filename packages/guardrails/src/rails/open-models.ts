import { createInferenceClient, type InferenceClient } from "@assay/inference"
import { AssayError, invalidRequest, isAssayError, type GuardrailModel } from "@assay/schemas"
import { MAIN, type EffectiveData } from "../configuration/effective-data.ts"
import type { GuardrailContext } from "../guardrail.ts"
import { createEndpointMemories, type EndpointMemory } from "./judges/judge-parameters.ts"

/** An open endpoint and the model that is asked there. */
export interface OpenEndpoint {
  readonly client: InferenceClient
  readonly memory: EndpointMemory
  /** Null: each request must name one. */
  readonly model: string | null
  readonly isPinned: boolean
  /** The parameters of the configuration. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** An open model that has a name. */
export interface OpenModel extends OpenEndpoint {
  readonly model: string
}

export interface OpenModels {
  /** Returns the model of a type. @throws `invalid_request` if it has no URL or no name, or does not exist */
  get(type: string): OpenModel
  /** Returns the endpoint of a type, or undefined if no model of this type has a URL. */
  endpointOf(type: string): OpenEndpoint | undefined
  close(): Promise<void>
}

/**
 * Opens a client for each model with a URL, its own or the default one. `main` needs no name, because chats name their model.
 * @throws `secret_not_readable`
 */
export async function openModels(data: EffectiveData, context: GuardrailContext): Promise<OpenModels> {
  const memoryOf = createEndpointMemories()
  const opened = new Map<string, OpenEndpoint>()
  const clients: InferenceClient[] = []

  async function open({ type, api_key_secret, ca, ...named }: GuardrailModel): Promise<void> {
    const url = named.url ?? context.defaultUrl
    if (url === undefined || (named.model === undefined && type !== MAIN)) return
    const refusal = refusalOf(type, url, context)
    const model = named.model ?? ""
    const own = {
      memory: memoryOf(url, model),
      model: named.model ?? null,
      isPinned: named.pinned ?? false,
      parameters: named.parameters ?? {},
    }
    if (refusal !== null) {
      opened.set(type, { client: refusedClient(refusal), ...own })
      return
    }
    const apiKey = api_key_secret === undefined ? undefined : await context.resolveSecret(api_key_secret, url)
    const endpoint = { url, model, apiKey, ca }
    const client = createInferenceClient(endpoint, context.inference, context.inferenceDefaults)
    clients.push(client)
    opened.set(type, { client, ...own })
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
      const endpoint = opened.get(type)
      if (endpoint !== undefined && endpoint.model !== null) return { ...endpoint, model: endpoint.model }
      const msg =
        endpoint === undefined
          ? `the model of type '${type}' has no address; give \`models\` with type '${type}', url and model`
          : `the model of type '${type}' has no name; name it in the request as \`model\`, or in the configuration's models`
      throw invalidRequest(["body", "guardrails", "models"], msg, "missing_model")
    },
    endpointOf: (type) => opened.get(type),
    close,
  }
}

function refusalOf(type: string, url: string, { checkEndpoint }: GuardrailContext): AssayError | null {
  try {
    checkEndpoint?.(url)
    return null
  } catch (error) {
    if (!isAssayError(error, "host_not_allowed")) throw error
    const message = `The endpoint of model '${type}' must not be called. ${error.message}`
    return new AssayError("inference_unreachable", message, { cause: error, context: { model: type } })
  }
}

/** Returns a client that always fails, for an endpoint that must not be called. The policy of the rail handles the failure. */
function refusedClient(refusal: AssayError): InferenceClient {
  const fail = () => Promise.reject(refusal)
  return {
    complete: fail,
    completeText: fail,
    embed: fail,
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) }),
    listModels: fail,
    close: () => Promise.resolve(),
  }
}
