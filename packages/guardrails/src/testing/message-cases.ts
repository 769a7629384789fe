import type { VerdictCase } from "./verdict-case.ts"

/** Whole messages of chat completions. */
export const MESSAGE_CASES: readonly VerdictCase[] = [
  [{ content: "User Safety: unsafe", finish_reason: "stop" }, "unsafe"],
  [{ content: null }, "empty"],
  [{}, "empty"],
  [null, "empty"],
  [undefined, "empty"],
  [{ content: "" }, "empty"],
  [{ content: null, finish_reason: "content_filter" }, "content_filter"],
  [{ content: "User Safety: safe", finish_reason: "content_filter" }, "content_filter"],
  [{ content: null, refusal: "I can't help with that." }, "refusal"],
  [{ content: "User Safety: safe", refusal: "I can't help with that." }, "refusal"],
  [{ content: "User Safety: safe", refusal: "" }, "safe"],
  [{ content: "User Safety: safe", refusal: null, finish_reason: "stop" }, "safe"],
  [{ content: null, reasoning_content: "User Safety: safe", finish_reason: "length" }, "reasoning_only"],
  [{ content: "", reasoning: "User Safety: safe" }, "reasoning_only"],
  [{ content: "User Safety: unsafe", reasoning_content: "User Safety: safe" }, "unsafe"],
  [{ content: "<think>User Safety: safe", finish_reason: "length" }, "reasoning_only"],
  [{ content: '{"User Safety": "uns', finish_reason: "length" }, "truncated"],
  [{ content: "The user asks about", finish_reason: "length" }, "truncated"],
  [{ content: '{"User Safety": "unsafe", "Safety Categories": "S1, S', finish_reason: "length" }, "unsafe"],
  [{ content: "User Safety: unsafe\nSafety Categories: S1, Viol", finish_reason: "length" }, "unsafe"],
  [{ content: [{ type: "text", text: "User Safety: unsafe" }] }, "unsafe"],
  [
    {
      content: [
        { type: "text", text: "User Safety: safe" },
        { type: "text", text: "Response Safety: unsafe" },
      ],
    },
    "safe/unsafe",
  ],
  [
    {
      content: [
        { type: "thinking", thinking: "User Safety: safe" },
        { type: "text", text: "User Safety: unsafe" },
      ],
    },
    "unsafe",
  ],
  [{ content: [{ type: "thinking", thinking: "User Safety: safe" }] }, "reasoning_only"],
  [{ content: [{ type: "refusal", refusal: "No." }] }, "refusal"],
  [{ content: null, tool_calls: [{ function: { name: "rate", arguments: '{"User Safety": "unsafe"}' } }] }, "unsafe"],
  [{ content: null, tool_calls: [{ function: { name: "rate", arguments: { verdict: "unsafe" } } }] }, "unsafe"],
  [
    { content: "User Safety: safe", tool_calls: [{ function: { arguments: '{"verdict": "unsafe"}' } }] },
    "contradictory",
  ],
  [{ content: null, function_call: { name: "rate", arguments: '{"User Safety": "unsafe"}' } }, "unsafe"],
  [{ content: [{ type: "tool_use", name: "rate", input: { "User Safety": "unsafe" } }] }, "unsafe"],
  [{ content: null, tool_calls: [null, { function: 5 }, "x"] }, "empty"],
  [{ content: [] }, "empty"],
  [{ content: [null, 5, {}] }, "empty"],
  [{ content: 5 }, "empty"],
  [7, "empty"],
]
