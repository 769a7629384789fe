import type { RowConversation } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { endSentence, heldTurns, turnsInCommon } from "./held-turns.ts"

const called = (name: string) => ({ id: name, type: "function", function: { name, arguments: "{}" } })
const conversation: RowConversation = {
  end: "limit_calls",
  state: { order: "cancelled" },
  malformed_calls: 0,
  unknown_tools: 0,
  messages: [
    { role: "system", content: "be kind" },
    { role: "user", content: "where?" },
    { role: "assistant", content: "I look.", tool_calls: [called("look")] } as never,
    { role: "tool", content: "there" },
    { role: "assistant", content: "There." },
    { role: "user", content: "cancel" },
    { role: "assistant", content: null, tool_calls: [called("cancel"), called("look")] } as never,
    { role: "tool", content: "no" },
  ],
  turns: [
    {
      turn: 0,
      user: "where?",
      output_text: "There.",
      calls: [{ name: "look", arguments: {}, result: "there" }],
      scores: { polite: { yes: 1 } },
      latency_ms: 12,
      state: { order: "open" },
    },
    {
      turn: 1,
      user: "cancel",
      output_text: null,
      calls: [
        { name: "cancel", arguments: {}, error: "locked" },
        { name: "look", arguments: {}, result: "there" },
      ],
      scores: { polite: { yes: 0 }, contains: { "string-check": 0 } },
      latency_ms: null,
      state: { order: "cancelled" },
    },
  ],
}
const judged = {
  labels: { "polite@1": { yes: "yes" }, "polite@2": { yes: "no" } },
  judge_answers: { polite: ["yes", "no: it is rude"] },
}

describe("the turns of a conversation", () => {
  it("have what was said and called in its order, with scores and remarks of judges at their turn", () => {
    const [first, second] = heldTurns(conversation, judged)
    expect(first).toMatchObject({
      steps: [
        { kind: "text", text: "I look." },
        { kind: "call", call: { name: "look" } },
      ],
      answer: "There.",
      scores: [{ name: "polite", value: 1, word: "yes", remark: undefined }],
      state: undefined,
    })
    expect(second).toMatchObject({
      number: 2,
      steps: [
        { kind: "call", call: { name: "cancel", error: "locked" } },
        { kind: "call", call: { name: "look" } },
      ],
      answer: null,
      scores: [{ name: "polite", value: 0, word: "no", remark: "no: it is rude" }, { name: "contains" }],
      state: { order: "cancelled" },
    })
    expect(endSentence(conversation)).toBe("It reached its limit of calls.")
  })

  it("keep their calls if the messages do not say where a turn begins, and no remark is at a wrong turn", () => {
    const cut = { ...conversation, messages: [] }
    const [first, second] = heldTurns(cut, { ...judged, judge_answers: { polite: ["yes", "no", "why?"] } })
    expect(first?.steps).toHaveLength(1)
    expect(second?.steps).toHaveLength(2)
    expect(second?.scores[0]?.remark).toBeUndefined()
  })

  it("part where something was said, called or answered differently, whatever the scores", () => {
    const turns = heldTurns(conversation, judged)
    const [first, second] = conversation.turns as [RowConversation["turns"][0], RowConversation["turns"][0]]
    const changed = (turn: typeof first, at: number) =>
      heldTurns({ ...conversation, turns: conversation.turns.with(at, turn) })
    expect(turnsInCommon(turns, heldTurns({ ...conversation, turns: [{ ...first, scores: {} }, second] }))).toBe(2)
    expect(turnsInCommon(turns, changed({ ...second, calls: second.calls.slice(1) }, 1))).toBe(1)
    expect(turnsInCommon(turns, changed({ ...first, user: "who?" }, 0))).toBe(0)
    expect(turnsInCommon(turns, turns.slice(0, 1))).toBe(1)
  })
})
