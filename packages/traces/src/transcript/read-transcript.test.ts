import { describe, expect, it } from "vitest"
import { chat, otlp, span, text } from "../testing/trace-spans.ts"
import { readTranscript } from "./read-transcript.ts"

const U = text("user", "Cancel A1.")
const A = text("assistant", "It is gone.")
const called = (id?: string) => ({
  role: "assistant",
  parts: [{ type: "tool_call", ...(id === undefined ? {} : { id }), name: "cancel", arguments: { id: "A1" } }],
})
const told = (response: string, id?: string) => ({
  role: "tool",
  parts: [{ type: "tool_call_response", ...(id === undefined ? {} : { id }), response }],
})
const ran = (over: object = {}, status: object = {}) =>
  span(
    "t/a/tool",
    2,
    {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "cancel",
      "gen_ai.tool.call.arguments": '{"id":"A1"}',
      "gen_ai.tool.call.result": "gone",
      ...over,
    },
    status,
  )
const USED = { "gen_ai.usage.input_tokens": 5, "gen_ai.usage.output_tokens": 2 }
const lines = (...records: readonly object[]) => records.map((one) => JSON.stringify(one)).join("\n")
const roles = (written: string) => {
  const read = readTranscript(written)
  return typeof read === "string" ? read : read.messages.map(({ role, content }) => [role, content])
}
const HELD = [
  ["user", "Cancel A1."],
  ["assistant", null],
  ["tool", "gone"],
  ["assistant", "It is gone."],
]

describe("the spans of one task as a transcript", () => {
  it("have the calls and answers of their requests, also from several lines of output among lines of a log", () => {
    const first = otlp(span("t//a", 1, chat([U], [called("c1")], USED)))
    const second = otlp(span("u//b", 3, chat([U, called("c1"), told("gone", "c1")], [A], USED)))
    const helper = otlp(
      span("v//h", 2, chat([text("system", "Classify."), text("user", "x")], [text("assistant", "y")], USED)),
    )
    const read = readTranscript(`a log\n${lines(first, second, helper)}\n{"level":"info"}\n[1] done\n`)
    expect(read).toMatchObject({
      tokens: 21,
      messages: [
        { role: "user" },
        { tool_calls: [{ id: "c1", function: { name: "cancel", arguments: '{"id":"A1"}' } }] },
        { role: "tool", tool_call_id: "c1" },
        { role: "assistant" },
      ],
    })
    expect(roles(JSON.stringify([first, second], null, 2))).toEqual(HELD)
  })

  it.each([-5, 0, 1.5, 1e308, "many"])("have no number of tokens if a request says that it took %s", (asked) => {
    const used = { "gen_ai.usage.input_tokens": asked, "gen_ai.usage.output_tokens": 0 }
    const read = readTranscript(
      lines(otlp(span("t//a", 1, chat([U], [A], used)), span("t//b", 2, chat([U], [A], USED)))),
    )
    expect(typeof read === "string" ? read : read.tokens).toBeNull()
  })

  it("have an answer that only the span of the tool has, and calls that only these spans have", () => {
    const answer = span("t//b", 3, chat([U, called()], [A]))
    expect(roles(lines(otlp(ran(), answer)))).toEqual(HELD)
    expect(roles(lines(otlp(ran(), span("t//b", 3, chat([U], [A])))))).toEqual(HELD)
    const failed = roles(lines(otlp(ran({}, { status: { code: 2 } }), answer)))
    expect(failed).toContainEqual(["tool", '{"error":"gone"}'])
  })

  it("name each call by an id, so that answers without one stay with theirs", () => {
    const read = readTranscript(lines(otlp(span("t//b", 3, chat([U, called(), told("gone")], [A])))))
    expect(read).toMatchObject({
      messages: [{}, { tool_calls: [{ id: "call_1" }] }, { tool_call_id: "call_1", content: "gone" }, {}],
    })
  })

  it.each([
    ["", "has no spans"],
    ["no json", "has no spans"],
    ["[".repeat(5000), "has no spans"],
    [`{"a":${"[".repeat(5000)}}`, "has no spans"],
    [lines(otlp(span("t//a", 1, { "gen_ai.operation.name": "chat" }))), "none of them has messages of a model"],
  ])("are none: %#", (written, why) => {
    expect(readTranscript(written)).toContain(why)
  })
})
