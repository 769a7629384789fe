/** Parameters of ours that an endpoint may refuse; a judge is then asked without them, or under their other name. */
export const ADAPTABLE_PARAMETERS = ["response_format", "max_tokens", "logprobs", "temperature"] as const
export type AdaptableParameter = (typeof ADAPTABLE_PARAMETERS)[number]

/** What an endpoint was found to take for a model. */
export interface EndpointMemory {
  readonly refused: Set<AdaptableParameter>
  /** Whether an answer to a JSON schema has come. */
  takesSchema: boolean
}

/** Remembers endpoints by address and model, for as long as a guardrail is open. */
export function createEndpointMemories(): (url: string, model: string) => EndpointMemory {
  const memories = new Map<string, EndpointMemory>()
  return (url, model) => {
    const key = JSON.stringify([url, model])
    const memory = memories.get(key) ?? { refused: new Set(), takesSchema: false }
    memories.set(key, memory)
    return memory
  }
}
