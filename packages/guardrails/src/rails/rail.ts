import type { ActivatedRail, AssayError, ChatMessage, Safety } from "@assay/schemas"
import type { JudgeAnswer, JudgeOptions } from "../judge.ts"

/** What rails look at; its keys are the names that prompts may read. */
export interface RailInput {
  readonly user_input: string
  readonly bot_response: string
  /** Contents are text: parts are joined. */
  readonly messages: readonly ChatMessage[]
}

/** What a rail found, before a policy turned it into a status. */
export type RailFinding = Safety | "unreadable" | "error"

export interface RailOutcome {
  readonly rail: ActivatedRail
  readonly finding: RailFinding
  /** How asking failed, where the policy is to pass that on. */
  readonly failure: AssayError | null
  readonly answers: readonly JudgeAnswer[]
}

/** A judge, or several, with a place and a policy. */
export interface Rail {
  /** The flow as the configuration writes it. */
  readonly name: string
  /** Whether it judges calls of tools, and so an answer without a text too. */
  readonly readsToolCalls: boolean
  /** Throws the reason of an aborted `signal` alone; what else fails is in the outcome. */
  run(input: RailInput, options: JudgeOptions): Promise<RailOutcome>
}
