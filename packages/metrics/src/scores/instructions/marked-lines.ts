import { skipSpace } from "./python-text.ts"

/** Counts the list items of an answer: lines that begin with `-`, or with one `*`. Blank lines before an item belong to it. */
export function countBullets(text: string): number {
  return countItems(text, "-") + countItems(text, "*")
}

function countItems(text: string, mark: "-" | "*"): number {
  let count = 0
  let content = -1
  for (let line = 0; line <= text.length;) {
    // The white space before an item may span lines, so it is skipped once for all of them.
    if (content < line) content = skipSpace(text, line)
    const next = content + 1
    const isItem = text[content] === mark && (mark === "-" || (next < text.length && text[next] !== "*"))
    // The character after an asterisk may be the end of its line. Then the item goes on in the next line.
    const from = !isItem ? Math.max(line, content) : next + Number(mark === "*")
    if (isItem) count++
    const end = text.indexOf("\n", from)
    if (end < 0) break
    line = end + 1
  }
  return count
}

/** Counts placeholders: texts in square brackets on one line. */
export function countPlaceholders(text: string): number {
  let count = 0
  for (let at = text.indexOf("["); at >= 0;) {
    const line = text.indexOf("\n", at)
    const end = line < 0 ? text.length : line
    const close = text.slice(at, end).indexOf("]")
    if (close >= 0) count++
    at = text.indexOf("[", close < 0 ? end : at + close + 1)
  }
  return count
}

/** Returns the texts in double angular brackets, at most one for each line. */
export function titlesIn(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const [start, end] = [line.indexOf("<<"), line.lastIndexOf(">>")]
    return start >= 0 && end >= start + 3 ? [line.slice(start, end + 2)] : []
  })
}
