import { categoryNamesOf, splitCategories, splitExact } from "../categories.ts"
import { turnsAgainst } from "../objections/remark-takes-back.ts"
import { isBeginning } from "../statements/read-value.ts"
import type { Value } from "../statements/statement.ts"
import { bareLines, bareWord } from "../text/plain-words.ts"
import { NOTHING_SAID, readingFor, type BareReading, type JudgeFamilyForm } from "./judge-family-form.ts"

const FORM = /^\n{0,2}(safe|unsafe)(?:\n(S\d{1,2}(?:, ?S\d{1,2}){0,30}))?\n?$/
/** Aegis, which is made from Llama Guard, has a third word for what its user may count as either. */
const CAUTION = "needs caution"
const WORDS: Readonly<Record<string, Value>> = {
  safe: "safe",
  unsafe: "unsafe",
  "not safe": "unsafe",
  [CAUTION]: "controversial",
}
const ON_ONE_LINE = /^[\s>#*_"'`([-]{0,10}(safe|unsafe|not safe)[\s*_"'`)\]]{0,5}[:;,.\s-]\s{0,5}(.{1,400})$/i

/** Llama Guard: a word on the first line, codes on the second. */
export const llamaGuard: JudgeFamilyForm = {
  family: "llama-guard",
  group: "bare",
  readExact(text, direction) {
    const match = FORM.exec(text)
    if (match === null) return undefined
    return readingFor(match[1] === "safe" ? "safe" : "unsafe", direction, splitExact(match[2]))
  },
  readBare: readSafeOrUnsafe,
  format({ user_safety: user, response_safety: response, categories }) {
    const codes = categories.map(({ raw }) => raw).join(",")
    const said = user ?? response ?? ""
    return `${said === "controversial" ? CAUTION : said}${codes === "" ? "" : `\n${codes}`}`
  },
}

/** Reads the first line, and checks whether a later one contradicts it. */
export function readSafeOrUnsafe(text: string): BareReading {
  const [first = "", ...others] = bareLines(text)
  const word = bareWord(first)
  const said = WORDS[word]
  if (said !== undefined) return withOthers(said, [], others)
  const match = ON_ONE_LINE.exec(first)
  const list = match?.[2] ?? ""
  const begun = WORDS[(match?.[1] ?? "").toLowerCase()]
  if (begun !== undefined && isCodeList(list)) return withOthers(begun, splitCodes(list), others)
  const names = begun === "unsafe" ? categoryNamesOf(list) : undefined
  if (names !== undefined) return withOthers("unsafe", names, others)
  if (word.endsWith("?") && Object.hasOwn(WORDS, word.replace(/[\s?]+$/, "")))
    return { values: ["unknown"], categories: [] }
  if (/^(?:un)?safe ?(?:or|\/|\|) ?(?:un)?safe$/.test(word)) return { values: ["unknown"], categories: [] }
  return others.length === 0 && isBeginning(word, Object.keys(WORDS))
    ? { values: ["cut"], categories: [] }
    : NOTHING_SAID
}

function withOthers(said: Value, listed: readonly string[], others: readonly string[]): BareReading {
  const categories = [...listed]
  let isList = true
  const values: Value[] = [said]
  for (const line of others) {
    const word = bareWord(line)
    // After "unsafe" it is the name of a category.
    const isCategory = word === CAUTION && said === "unsafe"
    const again =
      (isCategory ? undefined : WORDS[word]) ??
      (ON_ONE_LINE.exec(line)?.[1]?.toLowerCase() === "unsafe" ? "unsafe" : undefined)
    if (again !== undefined) values.push(again)
    const names = isCodeList(line) ? splitCodes(line) : said === "unsafe" ? categoryNamesOf(line) : undefined
    isList &&= names !== undefined
    if (isList) categories.push(...(names ?? []))
    else if (said === "safe" && again === undefined && turnsAgainst(line)) values.push("unknown")
  }
  return { values, categories }
}

/** Codes without names can be separated by spaces. */
function splitCodes(list: string): readonly string[] {
  const isBlank = /^[SO]\d{1,2}(?:\s+[SO]\d{1,2})+$/i.test(list.trim())
  return isBlank ? list.trim().split(/\s+/) : splitCategories(list)
}

const PART =
  /^[\s*_`["'(-]{0,10}[SO]\d{1,2}(?:\s{0,5}[:)\]–—.-].{0,80}|(?:\s{1,5}[SO]\d{1,2}){0,40}[\s*_`"'\]).]{0,10})$/i

/** Returns whether a line contains only codes, with or without their names. */
function isCodeList(line: string): boolean {
  if (line.length > 2000) return false
  const parts = line.split(/[,;]/).filter((part) => part.trim() !== "")
  return parts.length > 0 && parts.every((part) => PART.test(part))
}
