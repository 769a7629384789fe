import type { ChatMessage } from "@assay/schemas"
import { completeAdaptively } from "../../models/complete-adaptively.ts"
import type { PlanContext } from "../../plan/task-shape.ts"
import type { ScoreOptions } from "../../plan/task-plan.ts"
import type { MetricSetup } from "../metric-definition.ts"
import type { JudgeModel } from "./judge-model.ts"
import { unreadableReason } from "./unreadable-reason.ts"

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

export type AskJudge = (question: JudgeQuestion, options: ScoreOptions) => Promise<JudgeReply>

export interface JudgeQuestion {
  readonly messages: readonly ChatMessage[]
  /** Beside the messages of the template. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

export interface OpenJudgeOptions {
  readonly judge: JudgeModel
  /** The `response_format` that its answer is wanted in; undefined where no schema says it. */
  readonly format: object | undefined
  readonly run: MetricSetup["run"]
}

/**
 * Opens a judge. It is asked at temperature 0 for up to 1,024 tokens, with a JSON schema where there is one, unless its own
 * parameters say otherwise; what its endpoint refuses of that is left out from then on.
 */
export async function openJudge(
  { judge, format, run }: OpenJudgeOptions,
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
