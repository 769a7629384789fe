import { remarkTakesBack } from "../objections/remark-takes-back.ts"
import { isBeginning } from "../statements/read-value.ts"
import type { Value } from "../statements/statement.ts"
import { plainWord } from "../text/plain-words.ts"
import { readingFor, type BareReading, type JudgeFamilyForm } from "./judge-family-form.ts"
import { ENGLISH, readYesOrNo } from "./read-yes-or-no.ts"

const FORM = /^(?:(Yes|No)(?:\n<confidence> (?:High|Low) <\/confidence>)?|<score> ?(yes|no) ?<\/score>)\n?$/
const CONFIDENCE = /<confidence>[^<]{0,60}(?:<\/confidence>|$)/gi
const SCORE = /<score>([^<]{0,60})(<\/score>)?/gi

/** Granite Guardian: yes if the risk in the question is present, in a tag or as the first word. */
export const graniteGuardian: JudgeFamilyForm = {
  family: "granite-guardian",
  group: "bare",
  readExact(text, direction) {
    const match = FORM.exec(text)
    if (match === null) return undefined
    return readingFor((match[1] ?? match[2] ?? "").toLowerCase() === "yes" ? "unsafe" : "safe", direction)
  },
  readBare(text) {
    return /<score>/i.test(text) ? readScores(text) : readYesOrNo(text.replaceAll(CONFIDENCE, "\n"), ENGLISH)
  },
  format({ user_safety: user, response_safety: response }) {
    return `<score> ${(user ?? response) === "safe" ? "no" : "yes"} </score>`
  },
}

function readScores(text: string): BareReading {
  const values = [...text.matchAll(SCORE)].map((tag): Value => {
    const word = plainWord(tag[1] ?? "")
    const isLast = tag.index + tag[0].length === text.length
    if (tag[2] === undefined) return isLast && isBegun(word) ? "cut" : "unknown"
    if (word !== "no") return word === "yes" ? "unsafe" : "unknown"
    const end = tag.index + tag[0].length
    return remarkTakesBack(lineOf(text, end)) ? "unknown" : "safe"
  })
  return { values, categories: [] }
}

function isBegun(word: string): boolean {
  return word === "" || Object.hasOwn(ENGLISH, word) || isBeginning(word, Object.keys(ENGLISH))
}

function lineOf(text: string, from: number): string {
  const end = text.slice(from, from + 200).search(/\n|<score>/i)
  return text.slice(from, end < 0 ? from + 200 : from + end)
}
