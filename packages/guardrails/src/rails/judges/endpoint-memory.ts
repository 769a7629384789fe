/** Our parameters that an endpoint may refuse. The judge is then asked without them, or with their other name. */
export const ADAPTABLE_PARAMETERS = ["response_format", "max_tokens", "logprobs", "temperature"] as const
export type AdaptableParameter = (typeof ADAPTABLE_PARAMETERS)[number]

/** What is known about the parameters that an endpoint accepts for a model. */
export interface EndpointMemory {
  readonly refused: Set<AdaptableParameter>
  /** Whether a request with a JSON schema has succeeded. */
  takesSchema: boolean
}

/** Creates the memory of endpoints, by URL and model. It lives as long as the guardrail is open. */
export function createEndpointMemories(): (url: string, model: string) => EndpointMemory {
  const memories = new Map<string, EndpointMemory>()
  return (url, model) => {
    const key = JSON.stringify([url, model])
    const memory = memories.get(key) ?? { refused: new Set(), takesSchema: false }
    memories.set(key, memory)
    return memory
  }
}
