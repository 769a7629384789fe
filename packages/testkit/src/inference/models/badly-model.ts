import type { FakeChatReply, FakeModel } from "../fake-model.ts"

const WAYS: readonly FakeChatReply[] = [
  { content: "" },
  { content: null, reasoning: "The user asks about…", finish_reason: "length" },
  { content: "<think>The message looks harmless, but" },
  { content: '{"User Safety": "saf', finish_reason: "length" },
  { content: '{"User Safety": "safe or unsafe"}' },
  { content: '{"User Safety": "safe"}\n{"User Safety": "unsafe"}' },
  { content: "I'm sorry, but I can't help with that." },
  { content: null, refusal: "I can't assist with that request." },
  { content: "", finish_reason: "content_filter" },
  { content: '```json\n{"User Safety": true}\n```' },
]

/** Answers in ten bad ways, one after the other: none has a verdict. */
export function createBadlyModel(): FakeModel {
  let next = 0
  return () => {
    const reply = WAYS[next % WAYS.length] ?? {}
    next += 1
    return reply
  }
}
