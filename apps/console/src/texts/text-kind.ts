/** How a text is shown best. */
export type TextKind = "plain" | "markdown" | "json"

/** Longer texts are shown as they are: the work of a parser grows faster than the text. */
export const MAX_PARSED = 20_000

/** Signs of Markdown that plain texts rarely have: fences, headings, tables, links, bold words, and lists of several lines. */
const MARKDOWN = [
  /^ {0,3}(?:```|~~~)/mu,
  /^ {0,3}#{1,6} \S/mu,
  /^ {0,3}\|?(?: ?:?-+:? ?\|)+ ?:?-*:? ?$/mu,
  /\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)/u,
  /(?:^|[\s(])\*\*[^\s*][^*\n]{0,300}\*\*/u,
  /(?:^|\s)`[^`\n]{1,200}`/u,
  /^ {0,3}(?:[-*+]|\d{1,3}[.)]) \S.*\n+ {0,3}(?:[-*+]|\d{1,3}[.)]) \S/mu,
]

/** Returns how a text is shown best. */
export function textKind(text: string): TextKind {
  if (text.length > MAX_PARSED) return "plain"
  if (/^\s*[[{]/u.test(text) && isJson(text)) return "json"
  return MARKDOWN.some((sign) => sign.test(text)) ? "markdown" : "plain"
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
