import { invalidRequest, type ApiEndpoint, type ChatMessage, type UnreadableReason } from "@assay/schemas"
import { parseVerdict } from "@assay/guardrails"
import type { ChatAnswer } from "@assay/inference"
import { completeAdaptively } from "../../plan/complete-adaptively.ts"
import type { PlanContext } from "../../plan/plan-context.ts"
import type { ScoreOptions } from "../../plan/task-plan.ts"
import type { MetricSetup } from "../metric-definition.ts"
import { inferenceParameters } from "../../plan/inference-parameters.ts"
import { fieldsOf } from "../../plan/fields-of.ts"

/** As much of an answer as is worth keeping, in characters. */
const SHOWN = 4000
/** Enough to reason in words before a score. */
const TOKENS = 1024

/** What a judge said. */
export interface JudgeReply {
  readonly text: string
  /** Why nothing can be read in it, told for whoever can't. */
  unreadable(): { readonly reason: string; readonly raw: string }
}

type AskJudge = (question: JudgeQuestion, options: ScoreOptions) => Promise<JudgeReply>

interface JudgeQuestion {
  readonly messages: readonly ChatMessage[]
  /** Beside the messages of the template. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

interface MetricJudgeOptions {
  readonly judge: JudgeModel
  /** The `response_format` that its answer is wanted in; undefined where no schema says it. */
  readonly format: object | undefined
  readonly run: MetricSetup["run"]
}

/**
 * Opens a judge. It is asked at temperature 0 for up to 1,024 tokens, with a JSON schema where there is one, unless its own
 * parameters say otherwise; what its endpoint refuses of that is left out from then on.
 */
export async function openMetricJudge(
  { judge, format, run }: MetricJudgeOptions,
  { models }: Pick<PlanContext, "models">,
): Promise<AskJudge> {
  const model = await models.open(judge.endpoint)
  const own = judge.parameters
  const ours = {
    temperature: 0,
    ...("max_completion_tokens" in own ? {} : { max_tokens: TOKENS }),
    ...(format === undefined ? {} : { response_format: format }),
  }
  return async ({ messages, parameters }, { signal, onRetry }) => {
    const written = { ...own, ...parameters }
    const answer = await completeAdaptively(
      model,
      { messages, parameters: { ...ours, ...written }, ours: Object.keys(ours).filter((name) => !(name in written)) },
      { signal, onRetry, ...run },
    )
    const text = answer.text ?? ""
    return {
      text,
      unreadable: () => ({ reason: unreadableReason(answer), raw: (text || (answer.refusal ?? "")).slice(0, SHOWN) }),
    }
  }
}

/** The model that judges, and how it is asked. */
interface JudgeModel {
  readonly endpoint: ApiEndpoint
  /** Written by the user; null as a value means: not sent. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * Reads `model`, which holds `api_endpoint` or is one, with `inference_params` within it or beside it.
 * @throws `invalid_request` without URL and model
 */
export function judgeModel(params: Readonly<Record<string, unknown>>, name: string): JudgeModel {
  const model = fieldsOf(params["model"])
  const endpoint = fieldsOf(model["api_endpoint"] ?? model)
  if (typeof endpoint["url"] !== "string" || typeof endpoint["model_id"] !== "string") {
    const rule = 'needs the model that judges; write {"api_endpoint": {"url": "https://host/v1", "model_id": "…"}}.'
    throw invalidRequest([...name.split("."), "model"], rule, "missing")
  }
  const beside = [model["inference_params"], params["inference_params"]].map((one) =>
    inferenceParameters(fieldsOf(one)),
  )
  return { endpoint: endpoint as ApiEndpoint, parameters: Object.assign({}, ...beside) as Record<string, unknown> }
}

/** Reasons that are about the answer as such, whatever was asked for. */
const TOLD: ReadonlySet<string> = new Set(["refusal", "content_filter", "reasoning_only", "empty"])

/** How an answer begins that says no in so many words. */
const REFUSAL =
  /^\W*(?:i['’]?m (?:very |really |so )?sorry|i am sorry|sorry,|i (?:can['’]?t|cannot|won['’]?t|am unable to|must decline))\b/i

/** Why no score can be read in an answer, in the words that guardrails use. */
function unreadableReason({ text, reasoning, refusal, finishReason }: ChatAnswer): UnreadableReason {
  const { unreadable } = parseVerdict({ content: text, reasoning, refusal, finish_reason: finishReason })
  const reason = unreadable?.reason ?? "no_verdict"
  if (reason === "empty" && finishReason === "length") return "reasoning_only"
  if (TOLD.has(reason)) return reason
  if (finishReason === "length") return "truncated"
  return REFUSAL.test(text ?? "") ? "refusal" : "no_verdict"
}
