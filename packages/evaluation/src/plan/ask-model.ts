import type { EvaluationSample } from "@assay/schemas"
import { responseKey, type ResponseCache } from "../engine/response-cache.ts"
import { completeAdaptively } from "./complete-adaptively.ts"
import type { OpenedModel } from "./model-pool.ts"
import type { RequestTemplate } from "./request-template.ts"
import { callLimits, type RunParams } from "./run-params.ts"
import type { Ask } from "./task-plan.ts"

export interface AskModelOptions {
  readonly model: OpenedModel
  readonly request: RequestTemplate
  readonly params: RunParams
  /** Absent: every row is asked. */
  readonly cache: ResponseCache | undefined
}

/** Asks the target about each row. What the template says wins over the parameters of the run. */
export function askModel({ model, request, params, cache }: AskModelOptions): Ask {
  const { inference } = params
  const limits = callLimits(params)
  return {
    kind: "call",
    async call(item, { repeat, signal, onRetry }) {
      const { messages, parameters: own } = request.render({ item })
      const parameters = { ...inference, ...own }
      const { url, model_id } = model.endpoint
      const asked = { baseUrl: url, model: model_id, body: { messages, parameters }, repeat }
      const key = cache === undefined ? "" : responseKey(asked)
      const known = await cache?.read(key)
      if (known !== undefined) return known as EvaluationSample
      const answer = await completeAdaptively(model, { messages, parameters, ours: [] }, { signal, onRetry, ...limits })
      const sample: EvaluationSample = {
        output_text: answer.text,
        response: answer.body,
        usage: answer.usage,
        latency_ms: answer.latencyMs,
        finish_reason: answer.finishReason,
      }
      cache?.write(key, sample)
      return sample
    },
  }
}
