import { CATEGORY_KEYS, QUALIFIED_KEYS, VERDICT_KEYS, type VerdictKey } from "../data/keys.ts"
import { plainKey } from "../text/plain-words.ts"

/** A key that is followed by a colon or an equals sign, anywhere in a text. */
export interface Mention {
  readonly start: number
  /** The position where its value can begin. */
  readonly valueStart: number
  /** Undefined: a key of categories. */
  readonly key: VerdictKey | undefined
  readonly isAnchored: boolean
}

const KEYS =
  /(?<![a-z0-9])(?:(?:request|response)[ \t_-]{0,8}safety[ \t_-]{0,8}violations|(?:user|response)[ \t_-]{0,8}safety|(?:prompt|response)[ \t_-]{0,8}harm|harmful[ \t_-]{0,8}(?:request|response)|(?:safety|violated)[ \t_-]{0,8}categor(?:ies|y)|categor(?:ies|y)|is[ \t_-]{0,8}(?:un)?safe|safety|flagged|policy_category|rule_ids|(?<=["'])(?:violation|blocked)(?=\\?["'])|(?:request|response)(?=[ \t*_"']{0,6}:[ \t*_"']{0,6}(?:un)?harm))(?![a-z0-9])/gi

/** Marks of lists, quotes and emphasis before a key. */
const MARKS_BEFORE = " \t\"'`*_~\\#>+-•·([<"
/** Marks that end a line, a sentence or another statement. */
const ENDS_BEFORE = "\n,;|{}.!?:)]&/"

/** Finds every mention, quoted or not: in a text that is not valid JSON, a quotation mark must not hide a verdict. */
export function findMentions(text: string): readonly Mention[] {
  const mentions: Mention[] = []
  // Most reasoning has no separator, so no key of it is followed by one.
  if (!/[:=]|->/.test(text)) return mentions
  const isQuoting = text.includes('\\"') && /(?<!\\)"/.test(text)
  let previousEnd = 0
  for (const match of text.matchAll(KEYS)) {
    const end = match.index + match[0].length
    const valueStart = skipSeparator(text, end)
    if (valueStart === undefined) continue
    const plain = plainKey(match[0])
    // An escaped quote among unescaped ones is inside a string. That statement can contradict the outer ones but not replace them.
    const isStatement = !(isQuoting && text.startsWith('\\"', match.index - 2))
    const key = VERDICT_KEYS.get(plain) ?? QUALIFIED_KEYS.get(plain)
    if (key !== undefined || CATEGORY_KEYS.has(plain)) {
      mentions.push({
        start: match.index,
        valueStart,
        key,
        isAnchored: isStatement && isAnchored(text, match.index, previousEnd),
      })
    }
    previousEnd = end
  }
  return mentions
}

/** Returns the position after the marks and the separator that follow a key, or undefined if there is no separator. */
function skipSeparator(text: string, end: number): number | undefined {
  let at = end
  while (at < text.length && isMark(text.charCodeAt(at))) at += 1
  const begin = at
  while (at < text.length && (text[at] === ":" || text[at] === "=" || (at > begin && text[at] === ">"))) at += 1
  if (at === begin && text[at] === "-" && text[at + 1] === ">") at += 2
  return at === begin ? undefined : at
}

/** Returns whether a character is a space, a quote or a mark that Markdown puts around words. */
function isMark(code: number): boolean {
  return (
    code <= 0x20 || code === 0x22 || code === 0x27 || code === 0x60 || code === 0x2a || code === 0x5f || code === 0x5c
  )
}

/** Returns whether a statement can begin here: at the start of a line or after punctuation, after marks of lists and emphasis. */
function isAnchored(text: string, start: number, from: number): boolean {
  let at = start - 1
  while (at >= from && MARKS_BEFORE.includes(text.charAt(at))) at -= 1
  return at < 0 || ENDS_BEFORE.includes(text.charAt(at))
}
