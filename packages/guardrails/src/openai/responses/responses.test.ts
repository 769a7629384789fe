import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { ResponsesBody } from "@assay/schemas"
import { blockedChunk } from "../../rails/chat/blocked-answer.ts"
import type { Fields } from "../chat-form.ts"
import { responses } from "./responses.ts"

let made = 0
const context = { now: () => 1_000_000, newId: () => `id-${++made}` }
const read = (body: Fields) => responses.read(body as ResponsesBody, context)
const chatOf = (body: Fields) => read({ input: "Hello", ...body }).chat

async function* chunksOf(...deltas: readonly Fields[]): AsyncGenerator<Fields> {
  for (const { usage, finish_reason = null, ...delta } of deltas) {
    const choices = usage === undefined ? [{ index: 0, delta, finish_reason }] : []
    yield { id: "c", object: "chat.completion.chunk", model: "m", choices, ...(usage === undefined ? {} : { usage }) }
  }
}

const eventsOf = (chunks: AsyncIterable<Fields>) => Array.fromAsync(read({ input: "Hello" }).events(chunks))
const typesOf = (events: readonly Fields[]) => events.map(({ type }) => String(type).replace("response.", ""))

describe("a request for a response", () => {
  it("is a chat: instructions, messages, calls and their outputs", verifies("openai.responses"), () => {
    const { messages } = chatOf({
      instructions: "Be short.",
      input: [
        { role: "developer", content: "In English." },
        { role: "user", content: [{ type: "input_text", text: "Weather?" }] },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look.", annotations: [] }] },
        { type: "function_call", call_id: "a", name: "look", arguments: "{}" },
        { type: "function_call", call_id: "b", name: "look", arguments: '{"at":1}' },
        { type: "function_call_output", call_id: "a", output: "Sun" },
        { type: "function_call_output", call_id: "b", output: [{ type: "input_text", text: "Rain" }] },
      ],
    })
    expect(messages).toEqual([
      { role: "system", content: "Be short." },
      { role: "system", content: "In English." },
      { role: "user", content: "Weather?" },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "a", type: "function", function: { name: "look", arguments: "{}" } },
          { id: "b", type: "function", function: { name: "look", arguments: '{"at":1}' } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "Sun" },
      { role: "tool", tool_call_id: "b", content: "Rain" },
    ])
  })

  it("converts its parameters, and passes on those that it does not know", verifies("openai.responses"), () => {
    const schema = { type: "object" }
    const tool = { type: "function", name: "look", parameters: schema, strict: null, description: "Looks" }
    const chat = chatOf({
      model: "m",
      stream: true,
      max_output_tokens: 9,
      temperature: 0,
      reasoning: { effort: "low", summary: "auto" },
      text: { format: { type: "json_schema", name: "n", schema }, verbosity: "low" },
      tools: [tool],
      tool_choice: { type: "function", name: "look" },
      top_k: 4,
      store: true,
      metadata: { a: "b" },
      include: ["reasoning.encrypted_content"],
      previous_response_id: null,
      messages: [{ role: "user", content: "Hidden" }],
    })
    expect(chat).toEqual({
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: "user", content: "Hello" }],
      max_tokens: 9,
      temperature: 0,
      reasoning_effort: "low",
      verbosity: "low",
      response_format: { type: "json_schema", json_schema: { name: "n", schema } },
      tools: [{ type: "function", function: { name: "look", parameters: schema, description: "Looks" } }],
      tool_choice: { type: "function", function: { name: "look" } },
      top_k: 4,
    })
  })

  it.each([
    [{ previous_response_id: "resp_1" }, ["previous_response_id"]],
    [{ conversation: "conv_1" }, ["conversation"]],
    [{ background: true }, ["background"]],
    [{ prompt: { id: "p" } }, ["prompt"]],
    [{ n: 2 }, ["n"]],
    [{ truncation: "auto" }, ["truncation"]],
    [{ tools: [{ type: "web_search" }] }, ["tools", 0, "type"]],
    [{ tools: [{ type: "function", name: "f" }, { type: "mcp" }] }, ["tools", 1, "type"]],
    [{ tool_choice: { type: "file_search" } }, ["tool_choice"]],
    [{ input: [{ type: "item_reference", id: "msg_1" }] }, ["input", 0, "type"]],
    [{ input: [{ type: "reasoning", summary: [] }] }, ["input", 0, "type"]],
    [
      { input: [{ role: "user", content: [{ type: "input_file", file_id: "f" }] }] },
      ["input", 0, "content", 0, "type"],
    ],
    [{ input: [{ role: "user", content: [{ type: "input_image", file_id: "f" }] }] }, ["input", 0, "content", 0]],
    [{ input: [{ role: "oracle", content: "a" }] }, ["input", 0, "role"]],
    [{ input: [{ type: "function_call", call_id: 1, name: "f", arguments: "" }] }, ["input", 0, "call_id"]],
    [{ input: [{ role: "user", content: 7 }] }, ["input", 0, "content"]],
    [{ input: [] }, ["input"]],
  ] as const)("is refused by name if a chat can't do what it says: %j", verifies("openai.refused"), (body, loc) => {
    expect(() => chatOf(body)).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        issues: [expect.objectContaining({ loc: ["body", ...loc] })],
      }),
    )
  })
})

describe("a response", () => {
  const answer = (message: Fields, rest: Fields = {}) =>
    read({ input: "Hello" }).answer({ model: "m", choices: [{ message, finish_reason: "stop", ...rest }] })

  it("has the text, then the calls", verifies("openai.responses"), () => {
    const calls = [{ id: "a", type: "function", function: { name: "look", arguments: "{}" } }]
    const { output, status } = answer({ content: "I look.", tool_calls: calls })
    expect([status, output]).toMatchObject([
      "completed",
      [
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
        { type: "function_call", call_id: "a", name: "look", arguments: "{}", status: "completed" },
      ],
    ])
  })

  it("is incomplete if the model was cut, and not if rails replaced its answer", verifies("openai.responses"), () => {
    expect(answer({ content: "a" }, { finish_reason: "length" })).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    })
    expect(answer({ content: "a" }, { finish_reason: "content_filter" })).toMatchObject({ status: "incomplete" })
    for (const [finish_reason, reason] of [
      ["MAX_TOKENS", "max_output_tokens"],
      ["model_length", "max_output_tokens"],
      [{ type: "length" }, "max_output_tokens"],
      ["SAFETY", "content_filter"],
    ]) {
      const { status, incomplete_details } = answer({ content: "a" }, { finish_reason })
      expect([status, incomplete_details]).toEqual(["incomplete", { reason }])
    }
  })
})

describe("the events of a response", () => {
  it("come in OpenAI's order, numbered from 0", verifies("openai.responses"), async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
    const events = await eventsOf(
      chunksOf(
        { role: "assistant", content: "" },
        { content: "I " },
        { content: "look." },
        { tool_calls: [{ index: 0, id: "a", function: { name: "look", arguments: '{"at"' } }] },
        { tool_calls: [{ index: 0, function: { arguments: ":1}" } }] },
        { finish_reason: "tool_calls" },
        { usage },
      ),
    )
    expect(typesOf(events)).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "completed",
    ])
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
    expect(events.at(-1)?.["response"]).toMatchObject({
      status: "completed",
      output: [{ type: "message" }, { type: "function_call", arguments: '{"at":1}' }],
      usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
    })
  })

  it("end complete with the refusal if rails block", verifies("openai.blocked"), async () => {
    async function* blocked(): AsyncGenerator<Fields> {
      yield blockedChunk({ refusal: "No.", model: "m", answered: null, context })
    }
    const events = await eventsOf(blocked())
    expect(typesOf(events).at(-1)).toBe("completed")
    expect(events.at(-1)?.["response"]).toMatchObject({ output: [{ content: [{ text: "No." }] }] })
  })

  it("end with an empty message if the model said nothing", verifies("openai.responses"), async () => {
    const events = await eventsOf(chunksOf({ role: "assistant" }, { finish_reason: "stop" }))
    expect(typesOf(events)).toContain("output_item.added")
    expect(events.at(-1)?.["response"]).toMatchObject({ output: [{ type: "message", content: [{ text: "" }] }] })
  })
})
