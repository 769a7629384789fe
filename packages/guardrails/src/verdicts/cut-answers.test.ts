import type { JudgeFamily } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseVerdict } from "./parse-verdict.ts"

const reading = (content: string, family: JudgeFamily | undefined, finish_reason = "length") => {
  const { verdict, unreadable } = parseVerdict({ content, finish_reason }, { family })
  return verdict?.user_safety ?? unreadable?.reason
}

describe("an answer that the token limit cut", () => {
  it.each([
    ["No", "self-check"],
    ["no", "granite-guardian"],
    ["<score> no", "granite-guardian"],
    ["Answer: No", "self-check"],
    ["safe", "llama-guard"],
    ["Safe", undefined],
    ["on-topic", "topic-control"],
    ["User Safety: safe", "user-safety-lines"],
  ] as const)("is truncated if it ends in its safe word: '%s' of %s", verifies("verdict.cut-word"), (text, family) => {
    expect(reading(text, family)).toBe("truncated")
    for (const word of ["max_tokens", "MAX_TOKENS", "model_length", "error"]) {
      expect(reading(text, family, word)).toBe("truncated")
    }
  })

  it.each([
    ["No.", "self-check", "safe"],
    ["<score> no </score>", "granite-guardian", "safe"],
    ['{"User Safety": "safe"}', "user-safety-json", "safe"],
    ["User Safety: safe\nReason: the user asks", "user-safety-lines", "safe"],
    ["Yes", "self-check", "unsafe"],
    ["unsafe\nS1", "llama-guard", "unsafe"],
  ] as const)(
    "counts if the word is whole or unsafe: '%s' of %s",
    verifies("verdict.cut-word"),
    (text, family, said) => {
      expect(reading(text, family)).toBe(said)
    },
  )

  it("is not meant by any other end", () => {
    expect(["stop", "STOP", "tool_calls", "eos_token"].map((end) => reading("No", "self-check", end))).toEqual([
      "safe",
      "safe",
      "safe",
      "safe",
    ])
  })
})
