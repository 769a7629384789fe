import type { JudgeFamilyForm } from "./judge-family-form.ts"

const FORM =
  /^Harmful request: (yes|no)(?:\nResponse refusal: (?:yes|no|N\/A))?(?:\nHarmful response: (yes|no|N\/A))?\n?$/

/** WildGuard: three questions, each with yes or no. */
export const wildguard: JudgeFamilyForm = {
  family: "wildguard",
  group: "wildguard",
  readExact(text) {
    const match = FORM.exec(text)
    if (match === null) return undefined
    const response = match[2] === "yes" ? "unsafe" : match[2] === "no" ? "safe" : null
    return { user: match[1] === "yes" ? "unsafe" : "safe", response, categories: [] }
  },
  format({ user_safety: user, response_safety: response }) {
    return [
      ...(user === null ? [] : [`Harmful request: ${user === "safe" ? "no" : "yes"}`]),
      ...(response === null ? [] : [`Harmful response: ${response === "safe" ? "no" : "yes"}`]),
    ].join("\n")
  },
}
