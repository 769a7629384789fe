import { YES_NO_WORDS } from "../data/words.ts"
import { readingFor, type JudgeFamilyForm } from "./judge-family-form.ts"
import { readSafeOrUnsafe } from "./llama-guard.ts"
import { readYesOrNo } from "./read-yes-or-no.ts"

const FORM = /^(?:(yes|Yes)|no|No)$/

/** A general model that is asked whether to block a message, in the language of its prompt. */
export const selfCheck: JudgeFamilyForm = {
  family: "self-check",
  group: "bare",
  readExact(text, direction) {
    const match = FORM.exec(text)
    return match === null ? undefined : readingFor(match[1] === undefined ? "safe" : "unsafe", direction)
  },
  readBare(text) {
    const reading = readYesOrNo(text, YES_NO_WORDS)
    return reading.values.length > 0 ? reading : readSafeOrUnsafe(text)
  },
  format({ user_safety: user, response_safety: response }) {
    return (user ?? response) === "safe" ? "no" : "yes"
  },
}
