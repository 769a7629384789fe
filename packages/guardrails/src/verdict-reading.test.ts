import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { readingForDirection } from "./verdict-reading.ts"
import { familyOf } from "./verdicts/families/family-by-name.ts"
import { parseVerdict } from "./verdicts/parse-verdict.ts"

it(
  "readingForDirection gives an input rail no verdict if only the response was judged",
  verifies("verdict.response-only"),
  () => {
    const reading = parseVerdict('{"Response Safety": "safe"}')
    expect(readingForDirection(reading, "input")).toMatchObject({ verdict: null, unreadable: { reason: "no_verdict" } })
    expect(readingForDirection(reading, "output")).toBe(reading)
    const prompt = parseVerdict("User Safety: safe")
    expect(readingForDirection(prompt, "input")).toBe(prompt)
    expect(readingForDirection(prompt, "output").verdict).toBeNull()
  },
)

it("familyOf accepts the parser names of vendors", () => {
  expect(familyOf("nemoguard_parse_response_safety")).toBe("user-safety-json")
  expect(familyOf("nemotron_content_safety_parse_prompt_safety")).toBe("user-safety-lines")
  expect(familyOf("nemotron_reasoning_parse_prompt_safety")).toBe("harm-lines")
  expect(familyOf("is_content_safe")).toBe("self-check")
  expect(familyOf("llama-guard")).toBe("llama-guard")
  expect(familyOf("anything else")).toBeUndefined()
})
