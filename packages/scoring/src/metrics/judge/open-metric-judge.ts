import { fieldsOf } from "@assay/json"
import {
  answerEnd,
  invalidRequest,
  type ApiEndpoint,
  type ChatMessage,
  type RowRequest,
  type UnreadableReason,
} from "@assay/schemas"
import { parseVerdict } from "@assay/guardrails"
import type { JudgeAnswer } from "@assay/metrics"
import { type AdaptiveRequest, completeAdaptively } from "../../models/complete-adaptively.ts"
import { isEmbeddingsEndpoint, isTextEndpoint } from "../../models/endpoint-format.ts"
import { modelRequest } from "../../models/model-request.ts"
import { readReasoningSettings } from "../../models/reasoning-settings.ts"
import { removeMarkedReasoning, type ReasoningMarks } from "../../models/remove-marked-reasoning.ts"
import { inferenceParameters } from "../../models/run-params.ts"
import type { ScoringContext } from "../../scoring-context.ts"
import type { ScoreOptions } from "../bound-metric.ts"
import type { MetricSetup } from "../metric-definition.ts"
import type { JudgedAnswer } from "./judge-answers.ts"

/** How many characters of an unreadable answer are kept. */
const SHOWN = 4000
/** Default token limit: enough for reasoning in words before a score. */
const TOKENS = 1024

/** The answer of a judge. */
export interface JudgeReply extends JudgeAnswer {
  /** The log-probabilities of its tokens; null if the endpoint gives none, or none that can be right. */
  readonly logprobs: JudgedAnswer["logprobs"]
  /** Returns why no score can be read in the answer, for callers that found none. `contradictory`: they found several. */
  unreadable(found?: string | null): { readonly reason: string; readonly raw: string }
}

type AskJudge = (question: JudgeQuestion, options: ScoreOptions) => Promise<JudgeReply>

interface JudgeQuestion {
  readonly messages: readonly ChatMessage[]
  /** Parameters that the template sets besides the messages. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

interface MetricJudgeOptions {
  readonly judge: JudgeModel
  /** The `response_format` of its answer; undefined if no schema is sent. */
  readonly format: object | undefined
  /** Parameters that are sent unless the user sets them, or the endpoint refuses them. */
  readonly defaults?: Readonly<Record<string, unknown>>
  readonly run: MetricSetup["run"]
}

/**
 * Opens the judge of a metric. It is asked at temperature 0 for at most 1,024 tokens and with a JSON schema if there is one, unless its
 * own parameters differ. If its endpoint refuses one of these defaults, later requests leave it out.
 */
export async function openMetricJudge(
  { judge, format, defaults, run }: MetricJudgeOptions,
  { models }: Pick<ScoringContext, "models">,
): Promise<AskJudge> {
  const model = await models.open(judge.endpoint)
  return async (question, { signal, onRetry, repeat, judgeAnswers }) => {
    const request = requestOf({ judge, format, ...(defaults && { defaults }) }, question)
    const ask = () => completeAdaptively(model, request, { signal, onRetry, repeat, ...run })
    const answer = await (judgeAnswers === undefined ? ask() : judgeAnswers.answer(ask))
    const written = answer.text ?? ""
    const spoken = judge.reasoning === undefined ? written : removeMarkedReasoning(written, judge.reasoning)
    // A word at the very end of a cut answer is not known to be whole: `1` may be the beginning of `10`. A filter cuts, too.
    const isCut = ["cut", "filtered"].includes(answerEnd(answer.finishReason))
    const isRefused = (answer.refusal ?? "") !== ""
    const text = isRefused ? "" : isCut ? withoutLastWord(spoken) : spoken
    return {
      text,
      isCut,
      logprobs: answer.logprobs,
      unreadable: (found) => ({
        reason: found === "contradictory" ? found : unreadableReason(answer),
        raw: (written || (answer.refusal ?? "")).slice(0, SHOWN),
      }),
    }
  }
}

/** Longer words are cut anywhere. */
const MAX_WORD = 100

function withoutLastWord(text: string): string {
  const at = Math.max(0, text.length - MAX_WORD)
  return text.slice(0, at) + text.slice(at).replace(/[\p{L}\p{N}\p{M}.,]+$/u, "")
}

type AskedJudge = Pick<MetricJudgeOptions, "judge" | "format" | "defaults">

function requestOf({ judge, format, defaults }: AskedJudge, { messages, parameters }: JudgeQuestion): AdaptiveRequest {
  const written = { ...judge.parameters, ...parameters }
  const ours = {
    temperature: 0,
    ...defaults,
    ...("max_completion_tokens" in judge.parameters ? {} : { max_tokens: TOKENS }),
    ...(format === undefined ? {} : { response_format: format }),
  }
  return {
    messages,
    parameters: { ...ours, ...written },
    ours: Object.keys(ours).filter((name) => !(name in written)),
  }
}

/** Returns the parameters that a judge is sent besides its messages and the schema of its answer. Null: it is not sent. */
export function judgeParameters(judge: JudgeModel): Readonly<Record<string, unknown>> {
  return requestOf({ judge, format: undefined }, { messages: [] }).parameters
}

/** Returns the request to a judge, without sending it. */
export function judgeRequest(judge: AskedJudge, question: JudgeQuestion): RowRequest {
  return modelRequest(judge.judge.endpoint, requestOf(judge, question))
}

/** The model that judges, and the parameters of its requests. */
interface JudgeModel {
  readonly endpoint: ApiEndpoint
  /** The user's parameters. A null value means that the parameter is not sent. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Undefined: reasoning stays in its answers. */
  readonly reasoning: ReasoningMarks | undefined
}

/**
 * Reads `model`, which contains `api_endpoint` or is one. `inference_params` are inside `model` or next to it.
 * @throws `invalid_request` without URL and model, for an endpoint that takes texts, and for settings of reasoning that can't be obeyed
 */
export function judgeModel(params: Readonly<Record<string, unknown>>, name: string): JudgeModel {
  const model = fieldsOf(params["model"])
  const endpoint = fieldsOf(model["api_endpoint"] ?? model)
  if (typeof endpoint["url"] !== "string" || typeof endpoint["model_id"] !== "string") {
    const rule = 'needs the model that judges; write {"api_endpoint": {"url": "https://host/v1", "model_id": "…"}}.'
    throw invalidRequest([...name.split("."), "model"], rule, "missing")
  }
  if (isTextEndpoint(endpoint) || isEmbeddingsEndpoint(endpoint)) {
    const rule = "has a format for texts; a judge is asked with a chat, so leave 'format' out."
    throw invalidRequest([...name.split("."), "model", "api_endpoint"], rule, "value_error")
  }
  const beside = [model["inference_params"], params["inference_params"]].map((one) =>
    inferenceParameters(fieldsOf(one)),
  )
  return {
    endpoint: endpoint as ApiEndpoint,
    parameters: Object.assign({}, ...beside) as Record<string, unknown>,
    reasoning: readReasoningSettings(model, `${name}.model`),
  }
}

/** Reasons that do not depend on the requested scores. */
const GENERAL: ReadonlySet<string> = new Set(["refusal", "content_filter", "reasoning_only", "empty"])

/** The beginning of an answer that refuses in words. */
const REFUSAL =
  /^\W*(?:i['’]?m (?:very |really |so )?sorry|i am sorry|sorry,|i (?:can['’]?t|cannot|won['’]?t|am unable to|must decline))\b/i

/** Returns why no score can be read in an answer, with the reasons of guardrails. */
function unreadableReason({ text, reasoning, refusal, finishReason }: JudgedAnswer): UnreadableReason {
  const { unreadable } = parseVerdict({ content: text, reasoning, refusal, finish_reason: finishReason })
  const reason = unreadable?.reason ?? "no_verdict"
  const isCut = answerEnd(finishReason) === "cut"
  if (reason === "empty" && isCut) return "reasoning_only"
  if (GENERAL.has(reason)) return reason
  if (isCut) return "truncated"
  return REFUSAL.test(text ?? "") ? "refusal" : "no_verdict"
}
