import { splitExact } from "../categories.ts"
import type { Value } from "../statements/statement.ts"
import { bareLines, bareWord } from "../text/plain-words.ts"
import { NOTHING_SAID, readingFor, type JudgeFamilyForm } from "./judge-family-form.ts"

const FORM = /^\{\s?"violation": ?([01])(?:, ?"policy_category": ?(?:null|"([\w /():,.&-]*)"))?\s?\}\s?$/
/** Labels that its guide shows in policies. Every policy can have others. */
const WORDS: Readonly<Record<string, Value>> = {
  0: "safe",
  valid: "safe",
  safe: "safe",
  1: "unsafe",
  invalid: "unsafe",
  unsafe: "unsafe",
  violates: "unsafe",
  violation: "unsafe",
}
const CODES = /^[A-Z]{1,3}\d{1,2}(?:\.[a-z\d]{1,2})?(?:, ?[A-Z]{1,3}\d{1,2}(?:\.[a-z\d]{1,2})?){0,20}$/

/**
 * The safeguard models of gpt-oss: an object, with the rule that is broken. A policy can ask for one digit or word instead, which
 * is only read if the family is named.
 * Source: the guide of gpt-oss-safeguard in OpenAI's cookbook.
 */
export const gptOssSafeguard: JudgeFamilyForm = {
  family: "gpt-oss-safeguard",
  group: "violation",
  readExact(text, direction) {
    const match = FORM.exec(text)
    return match === null
      ? undefined
      : readingFor(match[1] === "1" ? "unsafe" : "safe", direction, splitExact(match[2]))
  },
  readBare(text) {
    const [first = "", ...others] = bareLines(text)
    const said = WORDS[bareWord(first)]
    if (said === undefined) return NOTHING_SAID
    const codes = others.filter((line) => CODES.test(line))
    const rest = others.filter((line) => !CODES.test(line))
    const again = rest.flatMap((line) => WORDS[bareWord(line)] ?? [])
    return {
      values: [said, ...again],
      categories: codes.flatMap((line) => splitExact(line)),
      rest: rest.filter((line) => !Object.hasOwn(WORDS, bareWord(line))).join("\n"),
    }
  },
  format({ user_safety: user, response_safety: response, categories }) {
    const codes = categories.map(({ raw }) => raw)
    return JSON.stringify({
      violation: (user ?? response) === "safe" ? 0 : 1,
      policy_category: codes.length === 1 ? codes[0] : null,
      ...(codes.length > 1 ? { rule_ids: codes } : {}),
    })
  },
}
