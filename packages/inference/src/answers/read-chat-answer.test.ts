import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { readChatAnswer } from "./read-chat-answer.ts"

const TOOK = { latencyMs: 1, attempts: 1 }
const read = (message: unknown, choice: object = {}, body: object = {}) =>
  readChatAnswer({ choices: [{ message, ...choice }], ...body }, TOOK)

const FUNCTION_CALL = { type: "function", function: { name: "f", arguments: "{}" } }

describe("an answer", () => {
  it.each([
    [{ content: "a" }, { text: "a" }],
    [{ content: "" }, { text: "" }],
    [{ content: null }, { text: null }],
    [{ content: [{ type: "text", text: "a" }, { type: "image" }, { text: "b" }] }, { text: "ab" }],
    [{ content: 5 }, { text: null }],
    [
      {
        content: [
          { type: "reasoning", text: "No, " },
          {
            type: "thinking",
            thinking: [
              { type: "text", text: "or " },
              { type: "text", text: "yes?" },
            ],
          },
          { type: "reasoning", summary: [{ type: "summary_text", text: " Yes." }] },
          { type: "text", text: "Yes" },
        ],
      },
      { text: "Yes", reasoning: "No, or yes? Yes." },
    ],
    [{ content: [{ type: "thinking", thinking: "No" }] }, { text: null, reasoning: "No" }],
    [{ content: [{ type: "refusal", refusal: "I can't." }] }, { text: null, refusal: "I can't." }],
    [{ reasoning_content: "r" }, { reasoning: "r", text: null }],
    [{ reasoning: "r" }, { reasoning: "r" }],
    [{ refusal: "no" }, { refusal: "no" }],
    [{ tool_calls: [{ id: "1" }] }, { toolCalls: [{ id: "1" }] }],
    [{ tool_calls: [], function_call: { name: "f", arguments: "{}" } }, { toolCalls: [FUNCTION_CALL] }],
    [{ function_call: { name: "f", arguments: "{}" } }, { toolCalls: [FUNCTION_CALL] }],
    [{ tool_calls: [{ id: "1" }], function_call: { name: "f", arguments: "{}" } }, { toolCalls: [{ id: "1" }] }],
    [{ function_call: null }, { toolCalls: [] }],
    [undefined, { text: null, toolCalls: [] }],
  ])("with message %j is read", verifies("inference.lenient"), (message, expected) => {
    expect(read(message)).toMatchObject(expected)
  })

  it("with a text instead of a message is read", verifies("inference.lenient"), () => {
    expect(read(undefined, { text: "a", finish_reason: "length" })).toMatchObject({ text: "a", finishReason: "length" })
  })

  it.each([
    ["a text", { content: "a" }, null],
    ["a call", { content: null, tool_calls: [{ id: "1" }] }, null],
    ["a call of the old form", { content: null, function_call: { name: "f", arguments: "{}" } }, null],
    ["reasoning alone", { content: "", reasoning_content: "r" }, null],
    ["nothing", { content: "" }, 0],
  ])(
    "with %s and 0 tokens of completion has them only if nothing was written",
    verifies("inference.lenient"),
    (_, message, completion) => {
      const usage = { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 }
      expect(read(message, {}, { usage }).usage?.completion_tokens).toBe(completion)
    },
  )

  it("that completes a text counts 0 tokens only if it may repeat its prompt", verifies("inference.lenient"), () => {
    const body = { choices: [{ text: "Once" }], usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 } }
    expect(readChatAnswer(body, TOOK).usage?.completion_tokens).toBeNull()
    expect(readChatAnswer(body, TOOK, { repeatsPrompt: true }).usage?.completion_tokens).toBe(0)
  })

  it("contains log-probabilities with the most likely tokens", verifies("inference.lenient"), () => {
    const content = [{ token: "safe", logprob: -0.1, top_logprobs: [{ token: "un", logprob: -2 }, { token: 1 }] }, {}]
    expect(read({}, { logprobs: { content } }).logprobs).toEqual([
      { token: "safe", logprob: -0.1, top: [{ token: "un", logprob: -2 }] },
    ])
  })

  it.each([0.1, 1e308, -1e308, -10_001])("has no log-probabilities if one is %d", (logprob) => {
    const content = [
      { token: "a", logprob: -0.1 },
      { token: "b", logprob },
    ]
    expect(read({}, { logprobs: { content } }).logprobs).toBeNull()
    const top = [{ token: "a", logprob: -0.1, top_logprobs: [{ token: "b", logprob }] }]
    expect(read({}, { logprobs: { content: top } }).logprobs).toBeNull()
  })

  it.each([
    [
      { prompt_tokens: 2, completion_tokens: 3 },
      { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
    ],
    [
      { prompt_tokens: 2, total_tokens: 2 },
      { prompt_tokens: 2, completion_tokens: null, total_tokens: 2 },
    ],
    [
      // xAI and Gemini leave reasoning out of the tokens of the completion.
      { prompt_tokens: 2, completion_tokens: 3, total_tokens: 50 },
      { prompt_tokens: 2, completion_tokens: 48, total_tokens: 50 },
    ],
    [
      { prompt_tokens: 2, completion_tokens: 3, total_tokens: 4 },
      { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
    ],
    [{ total_tokens: 10 }, { prompt_tokens: null, completion_tokens: null, total_tokens: 10 }],
    [
      { prompt_tokens: 2, completion_tokens: -3, total_tokens: 2 ** 53 },
      { prompt_tokens: 2, completion_tokens: null, total_tokens: null },
    ],
    [{ prompt_tokens: "2", completion_tokens: 1.5, total_tokens: 1e308 }, null],
    [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, null],
    [{ total_tokens: 0 }, null],
    [
      { prompt_tokens: 0, completion_tokens: 0, total_tokens: 10 },
      { prompt_tokens: null, completion_tokens: null, total_tokens: 10 },
    ],
    [
      { prompt_tokens: 0, completion_tokens: 3, total_tokens: 3 },
      { prompt_tokens: null, completion_tokens: 3, total_tokens: null },
    ],
    [
      { prompt_tokens: 2, completion_tokens: 0, total_tokens: 2 },
      { prompt_tokens: 2, completion_tokens: 0, total_tokens: 2 },
    ],
    [{}, null],
    [null, null],
    ["10", null],
  ])("with usage %j is read", verifies("inference.lenient", "inference.unknown-usage"), (usage, expected) => {
    expect(read({}, {}, { usage }).usage).toEqual(expected)
  })

  it("counts no token of a text that was written, it is not known", verifies("inference.unknown-usage"), () => {
    const usage = { prompt_tokens: 2, completion_tokens: 0, total_tokens: 2 }
    const answer = read({ content: "Paris" }, {}, { usage })
    expect(answer.usage).toEqual({ prompt_tokens: 2, completion_tokens: null, total_tokens: null })
    expect(read({ content: "Paris" }, {}, { usage: { ...usage, total_tokens: 4 } }).usage?.total_tokens).toBe(4)
  })

  it("of any shape is read without an error", verifies("inference.lenient"), () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.jsonValue(), (choices, usage) => {
        expect(readChatAnswer({ choices, usage }, TOOK).attempts).toBe(1)
      }),
    )
  })
})
