import { isBeginning } from "../statements/read-value.ts"
import type { Value } from "../statements/statement.ts"
import { bareLines, bareWord } from "../text/plain-words.ts"
import { NOTHING_SAID, readingFor, type BareReading, type JudgeFamilyForm } from "./judge-family-form.ts"

const FORM = /^<answer>(PASS|FAIL)<\/answer>\n?$/
/** The opening tag is missing if it is the end of the prompt. */
const ANSWER = /(?:^|<answer>)([^<]{0,60})<\/answer>/gi
const OPEN = /<answer>([^<]{0,60})$/i
const WORDS: Readonly<Record<string, Value>> = { pass: "safe", fail: "unsafe" }

/** DynaGuard: whether a message keeps the rules in the prompt, in a tag, and an explanation in another one. */
export const dynaguard: JudgeFamilyForm = {
  family: "dynaguard",
  group: "bare",
  readExact(text, direction) {
    const match = FORM.exec(text)
    return match === null ? undefined : readingFor(match[1] === "PASS" ? "safe" : "unsafe", direction)
  },
  readBare(text) {
    const tags = [...text.matchAll(ANSWER)].map(([, said = ""]) => bareWord(said))
    const open = bareWord(OPEN.exec(text)?.[1] ?? "x")
    const isOpen = open === "" || Object.hasOwn(WORDS, open) || isBeginning(open, Object.keys(WORDS))
    const isTagged = tags.some((word) => Object.hasOwn(WORDS, word)) || (isOpen && OPEN.test(text))
    if (!isTagged) return readFirstLine(text)
    const values: Value[] = tags.map((word) => WORDS[word] ?? "unknown")
    if (OPEN.test(text)) values.push(open === "fail" ? "unsafe" : isOpen ? "cut" : "unknown")
    return { values, categories: [], rest: text.replaceAll(ANSWER, "\n") }
  },
  format({ user_safety: user, response_safety: response }) {
    return `<answer>${(user ?? response) === "safe" ? "PASS" : "FAIL"}</answer>`
  },
}

/** Reads an answer without tags. It is only read if the family is named, because other programs write these words too. */
function readFirstLine(text: string): BareReading {
  const [first = "", ...others] = bareLines(text)
  const said = WORDS[bareWord(first)]
  if (said === undefined) return NOTHING_SAID
  const again = others.flatMap((line) => WORDS[bareWord(line)] ?? [])
  return { values: [said, ...again], categories: [], rest: others.join("\n") }
}
