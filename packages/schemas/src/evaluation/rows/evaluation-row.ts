import type { ScoreValue } from "../evaluation-result.ts"
import type { ChatMessage, TokenUsage } from "../../inference/chat.ts"
import type { ConversationEnd, ConversationTurn, SimulatedUserRecord } from "../conversation/conversation-row.ts"

/** The output for a row: an answer of the model, or an output that the row contains. */
export interface EvaluationSample {
  readonly output_text: string | null
  /** The whole answer. */
  readonly response: unknown
  readonly usage: TokenUsage | null
  readonly latency_ms: number | null
  readonly finish_reason: string | null
  /** Of a conversation: all of its messages, as they were sent and received. */
  readonly messages?: readonly ChatMessage[]
  /** Of a conversation: the state that its tools left. */
  readonly state?: unknown
  readonly end?: ConversationEnd
  /** Of a conversation with a simulated user. */
  readonly user?: SimulatedUserRecord
  /** Of a conversation: calls whose arguments were not JSON or did not satisfy the schema of their tool. */
  readonly malformed_calls?: number
  /** Of a conversation: calls of tools that do not exist. */
  readonly unknown_tools?: number
  /** Of a conversation: calls whose tool failed itself, such as a program that crashed. Absent: none did. */
  readonly failed_tools?: number
}

/** An answer of a judge, with the parts from which its scores are read. */
export interface KeptJudgeAnswer {
  readonly text: string | null
  readonly finish_reason: string | null
  /** Present if no score could be read in the answers. */
  readonly reasoning?: string
  readonly refusal?: string
  /** The log-probabilities of its tokens, for metrics that ask for them. */
  readonly logprobs?: readonly KeptLogprob[]
}

interface KeptLogprob {
  readonly token: string
  readonly logprob: number
  readonly top: readonly { readonly token: string; readonly logprob: number }[]
}

/** A line of `rows.jsonl`: one row, repeat and attempt. The last attempt of a row counts. */
export interface EvaluationRow {
  readonly task: string
  /** From 0, in the order of the dataset. */
  readonly row_index: number
  /** From 0. */
  readonly repeat: number
  /** The attempt: 1 in the first run, and 1 more in each retry. */
  readonly attempt: number
  readonly item: Readonly<Record<string, unknown>>
  readonly sample: EvaluationSample | null
  /** Only of a conversation. */
  readonly turns?: readonly ConversationTurn[]
  readonly scores: Readonly<Record<string, Readonly<Record<string, ScoreValue>>>>
  /** By metric: why its scores are NaN. */
  readonly unreadable?: Readonly<Record<string, { readonly reason: string; readonly raw: string }>>
  /** By metric: the label of each score of a rubric. */
  readonly labels?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** By metric: the answers of its judge, in the order of its questions. Absent in rows of earlier versions. */
  readonly judge_answers?: Readonly<Record<string, readonly KeptJudgeAnswer[]>>
  /** By metric: the answer of another job that the row was compared with. */
  readonly compared_with?: Readonly<Record<string, string>>
  readonly error: { readonly code: string; readonly message: string } | null
}
