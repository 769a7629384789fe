import type { ActivatedRail, AssayError, CheckStatus, TokenUsage } from "@assay/schemas"
import type { VerdictReading } from "./verdict-reading.ts"

export interface JudgeOptions {
  readonly signal?: AbortSignal
  /** Ask for log-probabilities; where they come, the verdict's `score` is the risk that they show. Default false. */
  readonly logprobs?: boolean
}

/** What came of asking a judge once. Failure is data here: nothing but an aborted `signal` is thrown. */
export interface JudgeAnswer {
  /** The flow that asked. */
  readonly flow: string
  /** Null where asking failed. */
  readonly reading: VerdictReading | null
  readonly error: AssayError | null
  /** The judge's text as it came. */
  readonly raw: string | null
  readonly latencyMs: number
  readonly usage: TokenUsage | null
}

/** A text to be judged: of the user, or with `response` of the model that answers. */
export interface PromptToCheck {
  readonly prompt: string
  readonly response?: string
}

/** A rail over one text: what it would do, and what its judge said; of an ensemble one answer for each member that was asked. */
export interface CheckedRail {
  /** Its `error` is set where asking failed, whatever the policy; status is `unknown` where the policy is `error`. */
  readonly rail: ActivatedRail
  readonly answers: readonly JudgeAnswer[]
}

/** What the rails say of one text, in the order of the flows. */
export interface CheckedPrompt {
  /** Under the policies, which is what users would feel. */
  readonly status: CheckStatus
  readonly rails: readonly CheckedRail[]
}
