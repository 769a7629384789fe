import type { InferenceFault } from "./inference-faults.ts"

export interface FakeChatMessage {
  readonly role: string
  readonly content?: unknown
}

/** A request for a chat completion, as it was sent. */
export interface FakeChatBody {
  readonly model: string
  readonly messages: readonly FakeChatMessage[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly [parameter: string]: unknown
}

/** The reply of a model. Absent fields are null or absent in the answer. */
export interface FakeChatReply {
  readonly content?: unknown
  /** Returned as `reasoning_content`. */
  readonly reasoning?: string
  readonly refusal?: string
  /** Default "stop". */
  readonly finish_reason?: string | null
  /** Default: words are counted. */
  readonly usage?: Readonly<Record<string, number>>
  readonly logprobs?: unknown
  readonly toolCalls?: readonly unknown[]
}

export interface FakeChatFault {
  readonly fault: InferenceFault
}

/** Returns a reply to a chat, or a fault. */
export type FakeModel = (body: FakeChatBody) => FakeChatReply | FakeChatFault | Promise<FakeChatReply | FakeChatFault>
