import type { JudgeFamily, VerdictCategory } from "@assay/schemas"
import { CATEGORY_TABLES, HARM_CONCEPTS } from "./data/category-tables.ts"
import { ABSENT_WORDS } from "./data/keys.ts"
import { plainWord } from "./text/plain-words.ts"

const CODED = /^([SO]\d{1,2})(?![\p{L}\p{N}])(?:\s{0,5}[:.)–—-]\s{0,5}(.{1,120}))?/iu

/**
 * Returns a category as written, with its code and its name in the family. A written name has precedence over the name in the
 * table.
 */
export function categoryOf(raw: string, family: JudgeFamily): VerdictCategory {
  const table = CATEGORY_TABLES[family]
  const match = CODED.exec(raw)
  if (match !== null) {
    const code = (match[1] ?? "").toUpperCase()
    const name = match[2]?.trim() ?? (Object.hasOwn(table, code) ? table[code] : undefined)
    return name === undefined ? { raw, code, family } : { raw, code, name, family }
  }
  const lower = raw.toLowerCase()
  const entry = Object.entries(table).find(
    ([code, name]) => lower === name.toLowerCase() || lower === code.toLowerCase(),
  )
  return entry === undefined ? { raw, family } : { raw, code: entry[0], name: entry[1], family }
}

/** Returns the categories of another family that mean nearly the same. Empty: there are none. */
export function equivalentCategories(category: VerdictCategory, family: JudgeFamily): readonly VerdictCategory[] {
  const own = category.code ?? category.name ?? category.raw
  const codes = HARM_CONCEPTS.filter(({ codes }) => codes[category.family]?.includes(own)).flatMap(
    ({ codes }) => codes[family] ?? [],
  )
  return [...new Set(codes)].map((code) => {
    const name = CATEGORY_TABLES[family][code]
    return { raw: code, code, ...(name === undefined ? {} : { name }), family }
  })
}

const NAMES: ReadonlySet<string> = new Set(
  [
    ...Object.values(CATEGORY_TABLES).flatMap((table) => Object.values(table)),
    ...HARM_CONCEPTS.map(({ concept }) => concept),
  ].flatMap((name) => [namesIn(name).join(" "), ...name.split("/").map((part) => namesIn(part).join(" "))]),
)
const WORDS: ReadonlySet<string> = new Set([...NAMES].flatMap((name) => name.split(" ")))
/** Words that moderation endpoints combine with a slash. */
const MODERATED: ReadonlySet<string> = new Set(
  "hate harassment violence violent sexual graphic minors threatening illicit intent instructions self harm abuse none".split(
    " ",
  ),
)
const MAX_WORDS = 40

/**
 * Returns the category names in a text that consists of nothing else, with or without commas. Returns undefined for any other text.
 */
export function categoryNamesOf(text: string): readonly string[] | undefined {
  const words = namesIn(text)
  if (words.length === 0 || words.length > MAX_WORDS || !words.every((word) => WORDS.has(word))) return undefined
  const names: string[] = []
  for (let from = 0; from < words.length;) {
    let end = Math.min(words.length, from + 5)
    while (end > from + 1 && !NAMES.has(words.slice(from, end).join(" "))) end -= 1
    names.push(words.slice(from, end).join(" "))
    from = end
  }
  return names
}

/** Returns whether a text consists only of complete category names. */
export function areCategoryNames(text: string): boolean {
  return categoryNamesOf(text)?.every((name) => NAMES.has(name) || MODERATED.has(name)) ?? false
}

function namesIn(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.filter((word) => word !== "and") ?? []
  )
}

/** Splits a list of categories as a judge wrote it. Words that mean "none" are left out. */
export function splitCategories(list: string): readonly string[] {
  return list
    .split(/[,;\n]/)
    .map((part) => trimMarks(part))
    .filter((part) => part !== "" && !ABSENT_WORDS.has(plainWord(part)))
}

function trimMarks(part: string): string {
  const bare = part.trim().replace(/^(?:[-*•·]\s+|["'`*_[\s]+)/, "")
  return bare.replace(/["'`*_\]\s]{1,20}$/, "").trim()
}

const NONE: readonly string[] = []

/** Splits the list of an exact answer, which is empty in most of them. */
export function splitExact(list: string | undefined): readonly string[] {
  return list === undefined || list === "" ? NONE : splitCategories(list)
}
