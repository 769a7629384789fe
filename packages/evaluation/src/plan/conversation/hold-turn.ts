import type { ConversationCall, ConversationEnd, ConversationTurn, TokenUsage } from "@assay/schemas"
import type { AskOptions } from "../ask.ts"
import type { Conversation } from "./compile-conversation.ts"
import { addUsage, endOfAnswers, type Exchange, NO_USAGE } from "./exchange.ts"
import type { ConversationTools } from "./tools/tool-box.ts"
import { assistantMessage, readToolCalls, type ToolCall } from "./tools/tool-calls.ts"

interface TurnToHold {
  readonly tools: ConversationTools
  readonly exchange: Exchange
  readonly options: AskOptions
  readonly user: string
  readonly limits: Conversation["limits"]
  /** The turns before it. */
  readonly turns: readonly ConversationTurn[]
}

interface HeldTurn extends Omit<ConversationTurn, "turn"> {
  /** The limit that ended the conversation. Undefined: none did. */
  readonly end: ConversationEnd | undefined
}

/** Holds a turn: asks, answers calls of tools, and asks again until an answer calls none. @throws as `holdConversation` */
export async function holdTurn(to: TurnToHold): Promise<HeldTurn> {
  const { exchange, options, user, limits, turns } = to
  const before = exchange.state
  const calls: ConversationCall[] = []
  let usage: TokenUsage | null = NO_USAGE
  let latency = 0
  const ends: (string | null)[] = []
  exchange.add({ role: "user", content: user })
  for (;;) {
    const answer = await exchange.ask(options)
    usage = addUsage(usage, answer.usage)
    latency += answer.latencyMs
    ends.push(answer.finishReason)
    const asked = readToolCalls(answer.toolCalls, (at) => `call_${exchange.calls + at + 1}`)
    const allowed = asked.slice(0, Math.max(0, limits.calls - exchange.calls))
    exchange.add(assistantMessage(answer.spoken ?? answer.refusal, allowed))
    calls.push(...(await answerCalls(allowed, to)))
    const isCut = allowed.length < asked.length
    const end = isCut ? "limit_calls" : asked.length === 0 ? undefined : exchange.overLimit(limits)
    if (asked.length > 0 && end === undefined) continue
    return {
      user,
      output_text: answer.spoken,
      calls,
      scores: {},
      usage,
      latency_ms: latency,
      finish_reason: endOfAnswers(ends),
      ...(turns.length > 0 && exchange.state === before ? {} : { state: exchange.state }),
      end,
    }
  }
}

/** Answers the calls of one answer in their order. Delays pass at the same time, so the longest one counts. */
async function answerCalls(
  asked: readonly ToolCall[],
  { tools, exchange, options }: TurnToHold,
): Promise<readonly ConversationCall[]> {
  const calls: ConversationCall[] = []
  const waited = { delayMs: 0, tookMs: 0 }
  for (const one of asked) {
    const { call, content, state, delayMs, tookMs = 0, fault } = await tools.answer(one, exchange.state)
    exchange.state = state
    exchange.calls += 1
    if (fault !== undefined) exchange.faults[fault] += 1
    exchange.add({ role: "tool", tool_call_id: one.id, content })
    waited.delayMs = Math.max(waited.delayMs, delayMs)
    waited.tookMs += tookMs
    calls.push(call)
  }
  await exchange.wait(waited, options.signal)
  return calls
}
