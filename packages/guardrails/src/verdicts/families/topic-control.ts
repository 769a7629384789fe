import { turnsAgainst } from "../objections/remark-takes-back.ts"
import { isBeginning } from "../statements/read-value.ts"
import type { Value } from "../statements/statement.ts"
import { bareLines, bareWord } from "../text/plain-words.ts"
import { NOTHING_SAID, readingFor, type JudgeFamilyForm } from "./judge-family-form.ts"

const WORDS: Readonly<Record<string, Value>> = {
  "on topic": "safe",
  ontopic: "safe",
  "off topic": "unsafe",
  offtopic: "unsafe",
}
const CHOICE = /^o(?:n|ff) ?topic ?(?:or|\/|\|) ?o(?:n|ff) ?topic$/

/** NemoGuard topic control: whether a message stays within the subject. */
export const topicControl: JudgeFamilyForm = {
  family: "topic-control",
  group: "bare",
  readExact(text, direction) {
    if (text === "on-topic") return readingFor("safe", direction)
    return text === "off-topic" ? readingFor("unsafe", direction) : undefined
  },
  readBare(text) {
    const [first = "", ...others] = bareLines(text)
    const word = bareWord(first)
    if (CHOICE.test(word)) return { values: ["unknown"], categories: [] }
    const said = WORDS[word]
    if (said === undefined) {
      const isCut = others.length === 0 && isBeginning(word, ["on topic", "off topic"])
      return isCut ? { values: ["cut"], categories: [] } : NOTHING_SAID
    }
    const again = others.flatMap((line) => {
      const value = WORDS[bareWord(line)]
      if (value !== undefined) return [value]
      if (said === "safe" && turnsAgainst(line)) return ["unknown"] as const
      return said === "safe" && /\boff[-\s]?topic\b/i.test(line) ? (["unsafe"] as const) : []
    })
    return { values: [said, ...again], categories: [] }
  },
  format({ user_safety: user, response_safety: response }) {
    return (user ?? response) === "safe" ? "on-topic" : "off-topic"
  },
}
