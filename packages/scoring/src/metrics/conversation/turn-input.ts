import type { ChatMessage, ConversationTurn, EvaluationSample } from "@assay/schemas"
import type { ScoreInput } from "../bound-metric.ts"

/** Returns what metrics of a whole conversation read. */
export function conversationInput(
  item: ScoreInput["item"],
  sample: EvaluationSample,
  turns: readonly ConversationTurn[],
): ScoreInput {
  return { item, sample, turns, calls: turns.flatMap(({ calls }) => calls) }
}

/** Returns what metrics of a turn read: its answer, its calls, and the conversation up to it. @param at the number of the turn, from 0 */
export function turnInput(input: ScoreInput, at: number): ScoreInput {
  const { item, sample, turns = [] } = input
  const held = turns.slice(0, at + 1)
  const turn = held.at(-1)
  if (turn === undefined) return input
  const { output_text, usage, latency_ms, finish_reason, calls } = turn
  const state = held.findLast((one) => one.state !== undefined)?.state
  return {
    item,
    sample: {
      output_text,
      response: responseOf(turn),
      usage,
      latency_ms,
      finish_reason,
      messages: messagesUntil(sample.messages ?? [], at),
      ...(state === undefined ? {} : { state }),
    },
    turns: held,
    calls,
  }
}

/** Returns an answer with all calls of a turn, as metrics of single answers read it. */
function responseOf({ output_text, calls, finish_reason }: ConversationTurn): object {
  const tool_calls = calls.map(({ name, arguments: args }, at) => ({
    id: `call_${at + 1}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }))
  const message = { role: "assistant", content: output_text, ...(calls.length === 0 ? {} : { tool_calls }) }
  return { choices: [{ index: 0, message, finish_reason }] }
}

/** Returns the messages up to the end of a turn. Each turn has one message of the user. */
function messagesUntil(messages: readonly ChatMessage[], turn: number): readonly ChatMessage[] {
  let users = 0
  const end = messages.findIndex(({ role }) => role === "user" && users++ > turn)
  return end === -1 ? messages : messages.slice(0, end)
}
