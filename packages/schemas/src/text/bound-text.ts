const CUT = "…"
/** Maximum characters of a message. */
export const MAX_MESSAGE = 800
/** Maximum characters of a value that a message quotes. */
const MAX_VALUE = 200
/** Maximum characters of a text that are searched for quoted values. */
const MAX_READ = 100_000

const QUOTES: ReadonlySet<string> = new Set(["'", '"', "`"])
/** The characters before and after a quoted value, which distinguish its quotes from apostrophes. */
const BEFORE = /[\s(=[{,:]/
const AFTER = /[\s)\]},.;:?!]/

/** Cuts the middle out of a text that is longer than `limit`. Messages say at the start what is wrong, and at the end what to do. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  const start = Math.ceil(limit * 0.65)
  return `${text.slice(0, start)}${CUT}${text.slice(text.length - (limit - start - 1))}`.toWellFormed()
}

/** Shortens a message to `limit` characters, and each value that it quotes to 200. */
export function boundText(text: string, limit = MAX_MESSAGE): string {
  if (text.length <= MAX_VALUE) return text.toWellFormed()
  let bounded = ""
  let done = 0
  // Messages of Assay have no words of their own beyond this size.
  const read = cutMiddle(text, MAX_READ)
  for (let at = 0; at < read.length; at++) {
    const quote = read[at] ?? ""
    if (!QUOTES.has(quote) || (at > 0 && !BEFORE.test(read[at - 1] ?? ""))) continue
    const end = endOfValue(read, at)
    // Without a closing quote, the rest of the text is the value.
    if (end === undefined) break
    bounded += read.slice(done, at + 1) + cutMiddle(read.slice(at + 1, end), MAX_VALUE)
    done = end
    at = end
  }
  return cutMiddle(bounded + read.slice(done), limit).toWellFormed()
}

/** Returns the offset of the quote that closes the one at `start`. */
function endOfValue(text: string, start: number): number | undefined {
  const quote = text[start] ?? ""
  let end = text.indexOf(quote, start + 1)
  while (end >= 0 && end + 1 < text.length && !AFTER.test(text[end + 1] ?? "")) end = text.indexOf(quote, end + 1)
  return end < 0 ? undefined : end
}
