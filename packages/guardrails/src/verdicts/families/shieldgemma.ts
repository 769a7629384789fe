import { readingFor, type JudgeFamilyForm } from "./judge-family-form.ts"
import { ENGLISH, readYesOrNo } from "./read-yes-or-no.ts"

/** ShieldGemma: yes if the policy in its prompt is violated. */
export const shieldgemma: JudgeFamilyForm = {
  family: "shieldgemma",
  group: "bare",
  readExact(text, direction) {
    if (text === "No") return readingFor("safe", direction)
    return text === "Yes" ? readingFor("unsafe", direction) : undefined
  },
  readBare: (text) => readYesOrNo(text, ENGLISH),
  format({ user_safety: user, response_safety: response }) {
    return (user ?? response) === "safe" ? "No" : "Yes"
  },
}
