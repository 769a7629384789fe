import { describe, expect, it } from "vitest"
import { keyValues, otlp, span, type WrittenSpan } from "./testing/trace-spans.ts"
import { readRecord } from "./read-record.ts"
import { readTraceRow } from "./trace-row.ts"

/** Reads a record as one conversation, and returns what its user says, what is answered, and the calls of tools. */
function read(record: unknown): unknown {
  const { spans } = readRecord(record)
  const { found } = readTraceRow({ id: "c", isConversation: true, spans, cut: 0 })
  return found && [found.system, ...found.turns.map(({ user, output_text, calls }) => [user, output_text, ...calls])]
}

const CALL = { name: "get", arguments: { id: "A1" }, result: { s: 1 } }
const HELD = ["Be brief.", ["Where?", "Here.", CALL]]
const J = JSON.stringify
const SYSTEM = { role: "system", content: "Be brief." }
const USER = { role: "user", content: "Where?" }
const ASKED = {
  role: "assistant",
  tool_calls: [{ id: "c1", type: "function", function: { name: "get", arguments: '{"id":"A1"}' } }],
}
const TOLD = { role: "tool", tool_call_id: "c1", content: '{"s":1}' }
const SAID = { role: "assistant", content: "Here." }
const CHAT = { "gen_ai.operation.name": "chat" }
const flat = (prefix: string, messages: readonly object[]) =>
  Object.fromEntries(
    messages.flatMap((one, at) => Object.entries(one).map(([key, value]) => [`${prefix}.${at}.${key}`, value])),
  )
const inference = (prefix: string, messages: readonly object[]) =>
  flat(
    prefix,
    messages.map((one) => Object.fromEntries(Object.entries(one).map(([key, value]) => [`message.${key}`, value]))),
  )
const events = (...all: readonly (readonly [string, object])[]) => ({
  events: all.map(([name, attributes]) => ({ name, attributes: keyValues(attributes) })),
})

describe("a request with a call of a tool is read", () => {
  it.each<[string, WrittenSpan]>([
    [
      "from gen_ai.input.messages with parts, and instructions apart",
      span("t//a", 1, {
        ...CHAT,
        "gen_ai.system_instructions": J([{ type: "text", content: "Be brief." }]),
        "gen_ai.input.messages": J([
          { role: "user", parts: [{ type: "text", content: "Where?" }] },
          {
            role: "assistant",
            parts: [
              { type: "reasoning", content: "hm" },
              { type: "tool_call", id: "c1", name: "get", arguments: { id: "A1" } },
            ],
          },
          { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: { s: 1 } }] },
        ]),
        "gen_ai.output.messages": [{ role: "assistant", parts: [{ type: "text", content: "Here." }] }],
      }),
    ],
    [
      "from numbered gen_ai.prompt attributes of OpenLLMetry",
      span("t//a", 1, {
        "llm.request.type": "chat",
        ...flat("gen_ai.prompt", [
          SYSTEM,
          USER,
          {
            role: "assistant",
            "tool_calls.0.id": "c1",
            "tool_calls.0.name": "get",
            "tool_calls.0.arguments": '{"id":"A1"}',
          },
          TOLD,
        ]),
        ...flat("gen_ai.completion", [SAID]),
      }),
    ],
    [
      "from OpenInference attributes",
      span("t//a", 1, {
        "openinference.span.kind": "LLM",
        ...inference("llm.input_messages", [
          SYSTEM,
          USER,
          {
            role: "assistant",
            "tool_calls.0.tool_call.id": "c1",
            "tool_calls.0.tool_call.function.name": "get",
            "tool_calls.0.tool_call.function.arguments": '{"id":"A1"}',
          },
          TOLD,
        ]),
        ...inference("llm.output_messages", [
          { role: "assistant", "contents.0.message_content.type": "text", "contents.0.message_content.text": "Here." },
        ]),
      }),
    ],
    [
      "from events, one for each message",
      span(
        "t//a",
        1,
        CHAT,
        events(
          ["gen_ai.system.message", { content: "Be brief." }],
          ["gen_ai.user.message", { content: "Where?", role: "user" }],
          ["gen_ai.assistant.message", { tool_calls: J(ASKED.tool_calls) }],
          ["gen_ai.tool.message", { id: "c1", content: '{"s":1}' }],
          ["gen_ai.choice", { index: 0, message: J(SAID) }],
        ),
      ),
    ],
    [
      "from events with the whole prompt",
      span(
        "t//a",
        1,
        CHAT,
        events(
          ["gen_ai.content.prompt", { "gen_ai.prompt": J([SYSTEM, USER, ASKED, TOLD]) }],
          ["gen_ai.content.completion", { "gen_ai.completion": J([SAID]) }],
        ),
      ),
    ],
    [
      "from attributes of the AI SDK",
      span("t//a", 1, {
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.prompt.messages": J([
          SYSTEM,
          { role: "user", content: [{ type: "text", text: "Where?" }] },
          {
            role: "assistant",
            content: [{ type: "tool-call", toolCallId: "c1", toolName: "get", input: { id: "A1" } }],
          },
          {
            role: "tool",
            content: [
              { type: "tool-result", toolCallId: "c1", toolName: "get", output: { type: "json", value: { s: 1 } } },
            ],
          },
        ]),
        "ai.response.text": "Here.",
      }),
    ],
    [
      "from the content of Anthropic",
      span("t//a", 1, {
        ...CHAT,
        "gen_ai.prompt": J({
          system: "Be brief.",
          messages: [
            USER,
            {
              role: "assistant",
              content: [
                { type: "thinking", thinking: "hm" },
                { type: "tool_use", id: "c1", name: "get", input: { id: "A1" } },
              ],
            },
            {
              role: "user",
              content: [{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: '{"s":1}' }] }],
            },
          ],
        }),
        "gen_ai.completion": J({ role: "assistant", content: [{ type: "text", text: "Here." }] }),
      }),
    ],
    [
      "from items of the Responses API",
      span("t//a", 1, {
        ...CHAT,
        "gen_ai.input.messages": J([
          { role: "developer", content: "Be brief." },
          { type: "message", role: "user", content: [{ type: "input_text", text: "Where?" }] },
          { type: "function_call", call_id: "c1", name: "get", arguments: '{"id":"A1"}' },
          { type: "function_call_output", call_id: "c1", output: '{"s":1}' },
        ]),
        "gen_ai.output.messages": J([
          { type: "reasoning", summary: [] },
          { type: "message", role: "assistant", content: [{ type: "output_text", text: "Here." }] },
        ]),
      }),
    ],
    [
      "from contents of Gemini",
      span("t//a", 1, {
        ...CHAT,
        "gen_ai.input.messages": J([
          SYSTEM,
          { role: "user", parts: [{ text: "Where?" }] },
          { role: "model", parts: [{ functionCall: { id: "c1", name: "get", args: { id: "A1" } } }] },
          { role: "user", parts: [{ functionResponse: { id: "c1", name: "get", response: { s: 1 } } }] },
        ]),
        "gen_ai.output.messages": J([{ role: "model", parts: [{ text: "Here." }] }]),
      }),
    ],
    [
      "from serialised messages of LangChain",
      span("t//a", 1, {
        "openinference.span.kind": "LLM",
        "input.value": J({
          messages: [
            [
              { lc: 1, id: ["langchain", "schema", "messages", "SystemMessage"], kwargs: { content: "Be brief." } },
              { type: "human", content: "Where?" },
              {
                lc: 1,
                id: ["AIMessage"],
                kwargs: { content: "", tool_calls: [{ name: "get", args: { id: "A1" }, id: "c1" }] },
              },
              { lc: 1, id: ["ToolMessage"], kwargs: { content: '{"s":1}', tool_call_id: "c1" } },
            ],
          ],
        }),
        "output.value": J({
          generations: [[{ text: "Here.", message: { lc: 1, id: ["AIMessage"], kwargs: { content: "Here." } } }]],
        }),
      }),
    ],
  ])("%s", (_, written) => {
    expect(read(otlp(written))).toEqual(HELD)
  })

  it.each<[string, unknown]>([
    [
      "as an SDK prints a span",
      {
        name: "c",
        context: { trace_id: "0xt", span_id: "0xa" },
        parent_id: null,
        start_time: "2026-11-20T10:00:00Z",
        attributes: { ...CHAT, "gen_ai.prompt": J([SYSTEM, USER, ASKED, TOLD]), "gen_ai.completion": "Here." },
      },
    ],
    [
      "as Phoenix exports a span",
      {
        "context.trace_id": "t",
        "context.span_id": "a",
        "attributes.openinference.span.kind": "LLM",
        "attributes.llm.input_messages": [SYSTEM, USER, ASKED, TOLD].map((one) =>
          Object.fromEntries(Object.entries(one).map(([key, value]) => [`message.${key}`, value])),
        ),
        "attributes.llm.output_messages": [{ "message.role": "assistant", "message.content": "Here." }],
      },
    ],
    [
      "as a generation of Langfuse",
      {
        id: "o",
        traceId: "t",
        type: "GENERATION",
        startTime: "2026-11-20T10:00:00Z",
        input: { messages: [SYSTEM, USER, ASKED, TOLD], tools: [] },
        output: SAID,
      },
    ],
    [
      "as Langfuse exports it to a bucket",
      {
        id: "o",
        trace_id: "t",
        type: "GENERATION",
        start_time: "2026-11-20 10:00:00.000",
        input: J([SYSTEM, USER, ASKED, TOLD]),
        output: J(SAID),
      },
    ],
    [
      "as a download of Langfuse",
      {
        trace: { id: "t", timestamp: "2026-11-20T10:00:00Z", input: "Where?", output: "Here." },
        observations: [{ id: "o", type: "GENERATION", input: [SYSTEM, USER, ASKED, TOLD], output: "Here." }],
      },
    ],
  ])("%s", (_, written) => {
    expect(read(written)).toEqual(HELD)
  })

  it("from records of a log, with the answer of a tool in a span of its own", () => {
    const record = (eventName: string, body: unknown) => ({
      traceId: "t",
      spanId: "a",
      eventName,
      body: { kvlistValue: { values: keyValues(body as object) } },
    })
    const logs = {
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                record("gen_ai.system.message", { content: "Be brief." }),
                record("gen_ai.user.message", { content: "Where?" }),
                record("gen_ai.choice", {
                  message: { role: "assistant", content: "Here.", tool_calls: ASKED.tool_calls },
                }),
              ],
            },
          ],
        },
      ],
    }
    const tool = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "get",
      "gen_ai.tool.call.id": "c1",
      "gen_ai.tool.call.result": '{"s":1}',
    }
    expect(read([logs, otlp(span("t//a", 1, CHAT), span("t/a/b", 2, tool))])).toEqual(HELD)
  })
})
