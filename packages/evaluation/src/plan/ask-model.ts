import type { ApiEndpoint, EvaluationSample } from "@assay/schemas"
import { completeAdaptively } from "./complete-adaptively.ts"
import type { OpenedModel } from "./model-pool.ts"
import type { RequestTemplate } from "./request-template.ts"
import type { RunParams } from "./run-params.ts"
import type { Ask } from "./task-plan.ts"

/** The answer to one request, kept apart from the job that asked it. */
export interface AnswerCache {
  get(key: AnswerKey): Promise<EvaluationSample | undefined>
  set(key: AnswerKey, sample: EvaluationSample): Promise<void>
}

/** Everything that an answer depends on. */
export interface AnswerKey {
  readonly url: ApiEndpoint["url"]
  readonly model: string
  /** The whole body. */
  readonly body: unknown
  readonly repeat: number
}

export interface AskModelOptions {
  readonly model: OpenedModel
  readonly request: RequestTemplate
  readonly params: RunParams
  /** Absent: every row is asked. */
  readonly cache: AnswerCache | undefined
}

/** Asks the target about each row. What the template says wins over the parameters of the run. */
export function askModel({ model, request, params, cache }: AskModelOptions): Ask {
  const { timeoutMs, maxRetries, inference } = params
  return {
    kind: "call",
    async call(item, { repeat, signal, onRetry }) {
      const { messages, parameters: own } = request.render({ item })
      const parameters = { ...inference, ...own }
      const { url, model_id } = model.endpoint
      const key = { url, model: model_id, body: { messages, parameters }, repeat }
      const known = await cache?.get(key)
      if (known !== undefined) return known
      const answer = await completeAdaptively(model, { messages, parameters, ours: [] }, { signal, timeoutMs, maxRetries, onRetry })
      const sample: EvaluationSample = {
        output_text: answer.text,
        response: answer.body,
        usage: answer.usage,
        latency_ms: answer.latencyMs,
        finish_reason: answer.finishReason,
      }
      await cache?.set(key, sample)
      return sample
    },
  }
}
