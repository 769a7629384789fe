import { describe, expect, it } from "vitest"
import { answerEnd, finishReasonOf } from "./answer-end.ts"

it.each(["", " ", "null", "None", null, undefined, 5, {}])("finishReasonOf reads %j as no reason", (value) => {
  expect(finishReasonOf(value)).toBeNull()
})

describe("answerEnd", () => {
  it.each([
    ["length", "cut"],
    ["max_tokens", "cut"],
    ["MAX_TOKENS", "cut"],
    ["maxTokens", "cut"],
    ["model_length", "cut"],
    ["max-output-tokens", "cut"],
    ["FinishReason.MAX_TOKENS", "cut"],
    ["FINISH_REASON_MAX_TOKENS", "cut"],
    ["content_filter", "filtered"],
    ["content-filter", "filtered"],
    ["SAFETY", "filtered"],
    ["PROHIBITED_CONTENT", "filtered"],
    ["sensitive", "filtered"],
    ["content_filter: RECITATION", "filtered"],
    ["truncated", "cut"],
    ["repetition_truncation", "cut"],
    ["error", "failed"],
    ["ERROR", "failed"],
    ["abort", "failed"],
    ["network_error", "failed"],
    ["insufficient_system_resource", "failed"],
    ["OTHER", "failed"],
    ["MALFORMED_FUNCTION_CALL", "failed"],
    ["engine_error", "failed"],
    ["pause_turn", "cut"],
    ["output_limit_reached", "cut"],
    ["blocked_by_policy", "filtered"],
    ["LANGUAGE", "filtered"],
    ["MODEL_ARMOR", "filtered"],
    ["IMAGE_RECITATION", "filtered"],
    ["policy_violation", "filtered"],
    ["MALFORMED_MODEL_OUTPUT", "failed"],
    ["TOO_MANY_TOOL_CALLS", "failed"],
    ["stop_sequence", "complete"],
    ["end_turn", "complete"],
    ["stop", "complete"],
    ["STOP", "complete"],
    ["tool_calls", "complete"],
    ["eos_token", "complete"],
    ["", "complete"],
    [null, "complete"],
    ["x".repeat(1_000_000), "complete"],
  ])("reads the finish_reason %s as %s", (reason, end) => {
    expect(answerEnd(reason)).toBe(end)
  })
})
