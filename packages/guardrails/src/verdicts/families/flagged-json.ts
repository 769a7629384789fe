import { readingFor, type JudgeFamilyForm } from "./judge-family-form.ts"

const FORM = /^\{\s?"flagged": ?(true|false)\s?\}\s?$/

/** Moderation endpoints: a JSON object with a flag. */
export const flaggedJson: JudgeFamilyForm = {
  family: "flagged-json",
  group: "flagged",
  readExact(text, direction) {
    const match = FORM.exec(text)
    return match === null ? undefined : readingFor(match[1] === "true" ? "unsafe" : "safe", direction)
  },
  format({ user_safety: user, response_safety: response, categories }) {
    const flagged = (user ?? response) !== "safe"
    return JSON.stringify({
      flagged,
      ...(categories.length === 0 ? {} : { categories: categories.map(({ raw }) => raw) }),
    })
  },
}
