import type { JudgeFamilyForm } from "./judge-family-form.ts"

const FORM =
  /^(?:Answers: {0,3}\n)?Request: (harmful|unharmful)\nCompletion: (?:refusal|compliance|None)\nResponse: (harmful|unharmful|None)\n?$/

/** GuardReasoner: reasoning in words, and then, under `Answers:`, three lines. */
export const guardreasoner: JudgeFamilyForm = {
  family: "guardreasoner",
  group: "reasoned",
  readExact(text) {
    const match = FORM.exec(text)
    if (match === null) return undefined
    const response = match[2] === "harmful" ? "unsafe" : match[2] === "unharmful" ? "safe" : null
    return { user: match[1] === "harmful" ? "unsafe" : "safe", response, categories: [] }
  },
  format({ user_safety: user, response_safety: response }) {
    return [
      ...(user === null ? [] : [`Request: ${user === "safe" ? "unharmful" : "harmful"}`]),
      ...(response === null ? [] : [`Response: ${response === "safe" ? "unharmful" : "harmful"}`]),
    ].join("\n")
  },
}
