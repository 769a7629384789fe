import type { ChatMessage, TokenUsage } from "../../inference/chat.ts"
import type { ScoreValue } from "../evaluation-result.ts"

/** Why a conversation ended: all turns were held, its user stopped it, or it reached a limit. */
export type ConversationEnd = "turns" | "stopped" | "limit_turns" | "limit_calls" | "limit_tokens" | "limit_time"

/** A call of a tool, as a row stores it. It has either a result or an error. */
export interface ConversationCall {
  readonly name: string
  /** An object; for malformed arguments the beginning of their text. */
  readonly arguments: unknown
  readonly result?: unknown
  readonly error?: string
  /** The tool was not called: its name is unknown, or the arguments are malformed. */
  readonly refused?: true
}

/** The request and the answer of a simulated user. */
export interface SimulatedUserRecord {
  /** Its history: its instructions, its own messages as `assistant`, and answers to it as `user`. */
  readonly messages: readonly ChatMessage[]
  /** Whether its messages agree with its facts. Null: its judge gave no verdict. Absent: it has no judge. */
  readonly kept_facts?: boolean | null
  /** The text of its judge. */
  readonly verdict?: string
}

/** A turn of a conversation: a message of the user, and all that the model did until it answered. */
export interface ConversationTurn {
  readonly user: string
  /** Null: the conversation reached a limit before an answer, or the answer has no text. */
  readonly output_text: string | null
  readonly calls: readonly ConversationCall[]
  /** By metric. */
  readonly scores: Readonly<Record<string, Readonly<Record<string, ScoreValue>>>>
  /** The number of the turn in the file, from 0. Repeated turns have the same one. */
  readonly turn: number
  readonly usage: TokenUsage | null
  readonly latency_ms: number | null
  readonly finish_reason: string | null
  /** The state after the turn. Absent: as after the turn before. */
  readonly state?: unknown
}
