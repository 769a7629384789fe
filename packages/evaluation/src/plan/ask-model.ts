import type { ApiEndpoint, EvaluationSample } from "@assay/schemas"
import type { StepBudget } from "@assay/templates"
import { type ResponseCache, openResponseCache, responseKey } from "../engine/response-cache.ts"
import {
  completeAdaptively,
  givenOutput,
  isTextEndpoint,
  type OpenedModel,
  markedReasoning,
  type RequestTemplate,
  type RunParams,
  type SourceRow,
} from "@assay/scoring"
import type { Ask } from "./ask.ts"
import type { PlanContext } from "./task-shape.ts"

/** The marks between which a model writes its reasoning. */
export type ReasoningMarks = NonNullable<ReturnType<typeof markedReasoning.readSettings>>

export interface AskModelOptions {
  readonly model: OpenedModel
  readonly request: RequestTemplate
  readonly params: RunParams
  /** Absent: answers are not shared. */
  readonly cache: ResponseCache | undefined
  /** Undefined: reasoning stays in the text. */
  readonly reasoning: ReasoningMarks | undefined
}

/** Renders the request about a row. Parameters of the template win over those of the run. */
export function renderRequest(
  { request, params: { inference } }: Pick<AskModelOptions, "request" | "params">,
  item: SourceRow["item"],
  steps?: StepBudget,
): ReturnType<RequestTemplate["render"]> {
  const { messages, parameters } = request.render({ item }, steps)
  return { messages, parameters: { ...inference, ...parameters } }
}

/** Returns how a model is called for a row. */
function askModel({ model, request, params, cache, reasoning }: AskModelOptions): Ask {
  const scored = (sample: EvaluationSample): EvaluationSample =>
    reasoning === undefined || sample.output_text === null
      ? sample
      : { ...sample, output_text: markedReasoning.remove(sample.output_text, reasoning) }
  return {
    kind: "call",
    async call(item, { repeat, signal, onRetry }) {
      const { messages, parameters } = renderRequest({ request, params }, item)
      const { url, model_id } = model.endpoint
      const body = isTextEndpoint(model.endpoint)
        ? { messages, parameters, format: model.endpoint.format }
        : { messages, parameters }
      const asked = { baseUrl: url, model: model_id, body, repeat }
      const key = cache === undefined ? "" : responseKey(asked)
      const known = await cache?.read(key)
      if (known !== undefined) return scored(known as EvaluationSample)
      const answer = await completeAdaptively(
        model,
        { messages, parameters, ours: [] },
        { signal, onRetry, ...params.callLimits },
      )
      const sample: EvaluationSample = {
        output_text: answer.text,
        response: answer.body,
        usage: answer.usage,
        latency_ms: answer.latencyMs,
        finish_reason: answer.finishReason,
      }
      cache?.write(key, sample)
      return scored(sample)
    },
  }
}

export interface AskToOpen extends Pick<AskModelOptions, "reasoning"> {
  /** Undefined if the rows have outputs already. */
  readonly endpoint: ApiEndpoint | undefined
  /** Returns the output of a row that has one already. Default: its `response` or `output`. */
  readonly given?: ((item: SourceRow["item"]) => EvaluationSample) | undefined
  readonly request: RequestTemplate
  readonly run: RunParams
}

/** Opens the source of samples: the model of the target, or the rows themselves. @throws `secret_not_readable` */
export async function openAsk(
  { endpoint, given = givenOutput.ofRow, request, run, reasoning }: AskToOpen,
  { models, environment, onClose }: PlanContext,
): Promise<Ask> {
  if (endpoint === undefined) return { kind: "given", take: given }
  const model = await models.open(endpoint)
  const folder = run.isCached ? environment.responseCacheFolder : undefined
  const cache = folder === undefined ? undefined : openResponseCache(folder)
  if (cache !== undefined) onClose(() => cache.close())
  return askModel({ model, request, params: run, cache, reasoning })
}
