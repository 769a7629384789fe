import { CATEGORY_TABLES, HARM_CONCEPTS } from "../data/categories.ts"

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
