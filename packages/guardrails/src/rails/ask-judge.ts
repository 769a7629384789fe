import type { ChatAnswer, InferenceClient } from "@assay/inference"
import type { ChatMessage } from "@assay/schemas"
import type { EndpointMemory } from "./endpoint-memory.ts"
import { judgeParameters, type JudgeParameterOptions } from "./judge-parameters.ts"
import { refusedParameter } from "./refused-parameter.ts"

export interface AskOptions {
  readonly messages: readonly ChatMessage[]
  readonly parameters: JudgeParameterOptions
  readonly signal?: AbortSignal
}

/**
 * Asks for one answer. There is no probe apart from it: what the endpoint refuses is remembered and left out, and the same
 * question asked again, so that at most one call per parameter is lost for as long as the guardrail is open.
 */
export async function askJudge(
  client: InferenceClient,
  memory: EndpointMemory,
  { messages, parameters, signal }: AskOptions,
): Promise<ChatAnswer> {
  for (;;) {
    const sent = judgeParameters(parameters, memory)
    try {
      const answer = await client.complete({ messages, parameters: sent }, signal === undefined ? {} : { signal })
      if (parameters.schema !== null && sent["response_format"] === parameters.schema) memory.takesSchema = true
      return answer
    } catch (error) {
      const refused = refusedParameter(error, sent, parameters.own, memory)
      if (refused === null) throw error
      memory.refused.add(refused)
    }
  }
}
