import type { JudgeFamilyForm } from "./judge-family-form.ts"

const FORM = /^Prompt harm: (harmful|unharmful)(?:\nResponse [Hh]arm: (harmful|unharmful|None))?\n?$/

/** Nemotron content safety with reasoning: two lines with harmful or unharmful. */
export const harmLines: JudgeFamilyForm = {
  family: "harm-lines",
  group: "harm",
  readExact(text) {
    const match = FORM.exec(text)
    if (match === null) return undefined
    const response = match[2] === "harmful" ? "unsafe" : match[2] === "unharmful" ? "safe" : null
    return { user: match[1] === "harmful" ? "unsafe" : "safe", response, categories: [] }
  },
  format({ user_safety: user, response_safety: response }) {
    const lines = [
      ...(user === null ? [] : [`Prompt harm: ${user === "safe" ? "unharmful" : "harmful"}`]),
      ...(response === null ? [] : [`Response harm: ${response === "safe" ? "unharmful" : "harmful"}`]),
    ]
    return lines.join("\n")
  },
}
