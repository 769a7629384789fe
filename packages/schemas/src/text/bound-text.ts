const CUT = "…"
/** Characters of a message. */
export const MAX_MESSAGE = 800
/** Characters of a value that a message quotes. */
const MAX_VALUE = 200
const MAX_READ = 100_000

const QUOTES: ReadonlySet<string> = new Set(["'", '"', "`"])
/** Before and behind a quoted value: so no apostrophe is taken for a quote. */
const BEFORE = /[\s(=[{,:]/
const BEHIND = /[\s)\]},.;:?!]/

/** Cuts the middle out of a text that is longer than `limit`: what is wrong stands at its start, what to do at its end. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  const start = Math.ceil(limit * 0.65)
  return `${text.slice(0, start)}${CUT}${text.slice(text.length - (limit - start - 1))}`.toWellFormed()
}

/** A message that shows at most 200 characters of each value that it quotes, and `limit` of itself. */
export function boundText(text: string, limit = MAX_MESSAGE): string {
  if (text.length <= MAX_VALUE) return text.toWellFormed()
  let bounded = ""
  let done = 0
  // Past this size no message of ours goes on in words.
  const read = cutMiddle(text, MAX_READ)
  for (let at = 0; at < read.length; at++) {
    const quote = read[at] ?? ""
    if (!QUOTES.has(quote) || (at > 0 && !BEFORE.test(read[at - 1] ?? ""))) continue
    const end = endOfValue(read, at)
    // Without an end, all the rest is the value.
    if (end === undefined) break
    bounded += read.slice(done, at + 1) + cutMiddle(read.slice(at + 1, end), MAX_VALUE)
    done = end
    at = end
  }
  return cutMiddle(bounded + read.slice(done), limit).toWellFormed()
}

/** The offset of the quote that closes the one at `start`. */
function endOfValue(text: string, start: number): number | undefined {
  const quote = text[start] ?? ""
  let end = text.indexOf(quote, start + 1)
  while (end >= 0 && end + 1 < text.length && !BEHIND.test(text[end + 1] ?? "")) end = text.indexOf(quote, end + 1)
  return end < 0 ? undefined : end
}
