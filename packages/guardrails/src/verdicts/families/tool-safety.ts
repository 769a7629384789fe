import { bareLines, bareWord } from "../text/plain-words.ts"
import { readingFor, type JudgeFamilyForm } from "./judge-family-form.ts"
import { readSafeOrUnsafe } from "./llama-guard.ts"

const FORM = /^(?:(safe)|unsafe(?:: ([\w ]{1,200}(?:; [\w ]{1,200}){0,20}))?)$/
const REASONED = /^[\s>#*_"'`([-]{0,10}(?:unsafe|not safe)[\s*_"'`)\]]{0,5}(?:[:;,.!(]|[-–—]+\s)\s{0,10}(.*)$/i

/** The judge of tool calls: one word, or `unsafe` with its reasons. */
export const toolSafety: JudgeFamilyForm = {
  family: "tool-safety",
  group: "bare",
  readExact(text, direction) {
    const match = FORM.exec(text)
    if (match === null) return undefined
    return readingFor(match[1] === undefined ? "unsafe" : "safe", direction, splitReasons(match[2] ?? ""))
  },
  readBare(text) {
    const lines = bareLines(text)
    const [first = "", ...others] = lines
    const reason = REASONED.exec(first)?.[1] ?? (/^(?:unsafe|not safe)$/.test(bareWord(first)) ? "" : undefined)
    if (reason === undefined) return readSafeOrUnsafe(text)
    const agrees = others.every((line) => bareWord(line) !== "safe")
    return {
      values: agrees ? ["unsafe"] : ["unsafe", "safe"],
      categories: splitReasons([reason, ...others].join("\n")),
    }
  },
  format({ user_safety: user, response_safety: response, categories }) {
    const reasons = categories.map(({ raw }) => raw).join("; ")
    return `${user ?? response ?? ""}${reasons === "" ? "" : `: ${reasons}`}`
  },
}

function splitReasons(text: string): readonly string[] {
  return text
    .split(/[;\n]/)
    .map((reason) => reason.trim().replace(/^[-*•·]\s+/, ""))
    .filter((reason) => /[\p{L}\p{N}]/u.test(reason))
}
