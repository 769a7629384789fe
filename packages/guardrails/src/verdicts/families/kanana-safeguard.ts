import type { Value } from "../statements/statement.ts"
import { NOTHING_SAID, readingFor, type JudgeFamilyForm } from "./judge-family-form.ts"

const FORM = /^<(?:(SAFE)|UNSAFE-([SIA]\d{1,2}))>\n?$/
const TOKEN = /<(?:(SAFE)|UNSAFE(?:-([SIA]\d{1,2}))?)>/gi
const BEGUN = /^[\s*_"'`]{0,10}<(?:(?:S|SA|SAF|SAFE)|(UNSAFE)|U|UN|UNS|UNSA|UNSAF)(?:-[SIA]?\d{0,2})?$/i

/** Kanana Safeguard: one token, which names the category if it says unsafe. */
export const kananaSafeguard: JudgeFamilyForm = {
  family: "kanana-safeguard",
  group: "bare",
  readExact(text, direction) {
    const match = FORM.exec(text)
    if (match === null) return undefined
    return match[1] === undefined ? readingFor("unsafe", direction, [match[2] ?? ""]) : readingFor("safe", direction)
  },
  readBare(text) {
    const begun = BEGUN.exec(text)
    if (begun !== null) return { values: [begun[1] === undefined ? "cut" : "unsafe"], categories: [], rest: "" }
    const tokens = [...text.matchAll(TOKEN)]
    if (tokens.length === 0 || !/^[\s*_"'`]{0,10}</.test(text)) return NOTHING_SAID
    return {
      values: tokens.map(([, safe]): Value => (safe === undefined ? "unsafe" : "safe")),
      categories: tokens.flatMap(([, , code]) => code?.toUpperCase() ?? []),
      rest: text.replaceAll(TOKEN, "\n"),
    }
  },
  format({ user_safety: user, response_safety: response, categories }) {
    const unsafe = categories.length === 0 ? ["<UNSAFE>"] : categories.map(({ raw }) => `<UNSAFE-${raw}>`)
    return (user ?? response) === "safe" ? "<SAFE>" : unsafe.join("\n")
  },
}
