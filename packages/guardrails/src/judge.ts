import type { ActivatedRail, AssayError, ChatMessage, CheckStatus, TokenUsage } from "@assay/schemas"
import type { VerdictReading } from "./verdict-reading.ts"

export interface JudgeOptions {
  readonly signal?: AbortSignal | undefined
  /** Asks for log-probabilities. If the endpoint returns them, the verdict's `score` is the risk that they show. Default false. */
  readonly logprobs?: boolean | undefined
  /** Keeps the messages that the judge is asked with in its answer. Default false. */
  readonly prompts?: boolean | undefined
}

/** The result of asking a judge once. Failures are part of it: only an aborted `signal` throws. */
export interface JudgeAnswer {
  /** The name of the flow. */
  readonly flow: string
  /** Null: the request failed. */
  readonly reading: VerdictReading | null
  /** The probability of harm by the log-probabilities of the verdict, 0 to 1. Absent: they were not requested or not found. */
  readonly risk?: number
  readonly error: AssayError | null
  /** The text of the judge as received. */
  readonly raw: string | null
  /** The messages that the judge was asked with, if `prompts` is set and they could be rendered. */
  readonly prompt?: readonly ChatMessage[]
  readonly latencyMs: number
  readonly usage: TokenUsage | null
}

/** A text to judge: the message of the user, or with `response` the answer of the model. */
export interface PromptToCheck {
  readonly prompt: string
  readonly response?: string
}

/**
 * The result of a rail for one text: its decision and the answer of its judge. An ensemble has one answer for each member that was
 * asked.
 */
export interface CheckedRail {
  /** `error` is set if the request failed, under every policy. `status` is `unknown` if the policy is `error`. */
  readonly rail: ActivatedRail
  readonly answers: readonly JudgeAnswer[]
}

/** The results of all rails for one text, in the order of the flows. */
export interface CheckedPrompt {
  /** The status under the policies, which is what users experience. */
  readonly status: CheckStatus
  readonly rails: readonly CheckedRail[]
}
