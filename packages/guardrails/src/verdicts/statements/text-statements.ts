import { splitCategories } from "../categories/split-categories.ts"
import { isDeniedBefore, remarkTakesBack } from "../objections/remark-takes-back.ts"
import { findMentions, type Mention } from "./mentions.ts"
import { readTextValue, type TextValue } from "./read-value.ts"
import { rewriteTables } from "./rewrite-tables.ts"
import type { Findings, Statement, Value } from "./statement.ts"

export interface TextFindings extends Findings {
  /** The text without the statements that were read. */
  readonly rest: string
}

/** Finds the statements of a text in lines, tables and damaged JSON. `isCut`: the answer was ended from outside. */
export function textStatements(answer: string, isCut: boolean): TextFindings {
  const text = rewriteTables(answer)
  const mentions = findMentions(text)
  if (mentions.length === 0) return { statements: [], categories: [], rest: text }
  const statements: Statement[] = []
  const categories: string[] = []
  const rest: string[] = []
  let from = 0
  for (const [index, mention] of mentions.entries()) {
    const next = mentions[index + 1]
    const part = text.slice(mention.valueStart, next?.start ?? text.length)
    if (mention.key === undefined) {
      if (mention.isAnchored) categories.push(...readTextCategories(part, next === undefined, isCut))
      // The text before the key is not part of the field.
      rest.push(text.slice(from, mention.start))
      from = mention.start
      continue
    }
    const { side, group, vocabulary } = mention.key
    const read = readTextValue(part, vocabulary, next === undefined)
    const value = heldBy(read, text, mention)
    statements.push({ side, group, value, isJson: false, isAnchored: mention.isAnchored })
    if (value !== "safe" && value !== "unsafe" && value !== "controversial") continue
    rest.push(text.slice(from, mention.start))
    from = mention.valueStart + read.end
  }
  rest.push(text.slice(from))
  return { statements, categories, rest: rest.join("\n") }
}

/**
 * Checks the words around a value: a value with a question mark does not count, nor does "safe" if the words around it take it
 * back.
 */
function heldBy({ value, remark }: TextValue, text: string, { start, isAnchored }: Mention): Value {
  if (value === "unsafe" || value === "controversial") return /^[\s"'*_`]{0,4}\?/.test(remark) ? "unknown" : value
  if (value !== "safe") return value
  return remarkTakesBack(remark) || (isAnchored && isDeniedBefore(text, start)) ? "unknown" : value
}

/** Reads the list of categories after its key. A truncated list is ignored, because its last name may be incomplete. */
export function readTextCategories(part: string, isLast: boolean, isCut: boolean): readonly string[] {
  const text = part.replace(/^[\s*`_~\\]{0,100}(?=[^\s*`_~\\])/, "")
  const isList = text.startsWith("[")
  const quote = /^\[?\s{0,20}(["'])/.exec(text)?.[1]
  if (isList || quote !== undefined) return readEnclosed(text, isList ? "]" : (quote ?? '"'), isLast)
  const line = part.replace(/^[ \t*`_~\\]+/, "")
  const end = line.search(/[\n}|]/)
  const first = end < 0 ? line : line.slice(0, end)
  const written = first.trim() === "" ? bulletsOf(line) : first
  const isOpen = isLast && end < 0 && (isCut || /(?:[,;]|(?:^|[\s,;])[SO])\s*$/.test(written))
  return isOpen ? [] : splitCategories(written)
}

function readEnclosed(text: string, closing: string, isLast: boolean): readonly string[] {
  const end = text.indexOf(closing, 1)
  if (end < 0) return isLast ? [] : splitCategories(text.split("\n", 1)[0] ?? "")
  return splitCategories(text.slice(1, end))
}

/** Reads a list with one bullet per line. */
function bulletsOf(text: string): string {
  const bullets: string[] = []
  for (const line of text.split("\n").slice(1)) {
    if (!/^\s*[-*•·]\s/.test(line)) break
    bullets.push(line.trim().replace(/^[-*•·]\s+/, ""))
  }
  return bullets.join("\n")
}
