import type { ValidationIssue } from "@assay/schemas"

/** How much of what a client sent an error shows. Everything that is longer is shortened where the answer is built. */
export const ECHO_LIMITS = {
  /** Characters of a message. */
  text: 800,
  /** Characters of a quoted value in a message, of a key in a place, and of one value that was given. */
  value: 200,
  /** Characters of all values that were given together. */
  values: 600,
  /** Keys of a place. */
  keys: 20,
  issues: 50,
  /** Characters of all issues together. */
  all: 5000,
} as const

const CUT = "…"
const MAX_READ = 100_000

const QUOTES: ReadonlySet<string> = new Set(["'", '"', "`"])
/** Before and behind a quoted value: so no apostrophe is taken for a quote. */
const BEFORE = /[\s(=[{,:]/
const BEHIND = /[\s)\]},.;:?!]/

/** Cuts the middle out of a text that is longer than `limit`: what is wrong stands at its start, what to do at its end. */
function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  const start = Math.ceil(limit * 0.65)
  return `${text.slice(0, start)}${CUT}${text.slice(text.length - (limit - start - 1))}`.toWellFormed()
}

/** A message that shows at most a part of each value that it quotes, and of itself. */
export function boundText(text: string): string {
  if (text.length <= ECHO_LIMITS.value) return text.toWellFormed()
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
    bounded += read.slice(done, at + 1) + cutMiddle(read.slice(at + 1, end), ECHO_LIMITS.value)
    done = end
    at = end
  }
  return cutMiddle(bounded + read.slice(done), ECHO_LIMITS.text).toWellFormed()
}

/** The offset of the quote that closes the one at `start`. */
function endOfValue(text: string, start: number): number | undefined {
  const quote = text[start] ?? ""
  let end = text.indexOf(quote, start + 1)
  while (end >= 0 && end + 1 < text.length && !BEHIND.test(text[end + 1] ?? "")) end = text.indexOf(quote, end + 1)
  return end < 0 ? undefined : end
}

/** A copy of the facts of an error in which every text is bounded. */
export function boundTexts(value: unknown): unknown {
  if (typeof value === "string") return boundText(value)
  if (Array.isArray(value)) return value.slice(0, ECHO_LIMITS.issues).map(boundTexts)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, boundTexts(inner)]))
}

/** The beginning of a value as JSON, and whether that is all of it. It looks at no more of the value than it writes. */
function beginningOf(value: unknown, limit: number): { readonly text: string; readonly isWhole: boolean } {
  let text = ""
  const isFull = () => text.length > limit
  const write = (inner: unknown): void => {
    if (isFull()) return
    if (typeof inner === "string") text += JSON.stringify(inner.slice(0, limit + 1))
    else if (Array.isArray(inner)) writeItems("[", "]", inner.length, (index) => write(inner[index]))
    else if (typeof inner === "object" && inner !== null) {
      const keys = Object.keys(inner)
      writeItems("{", "}", keys.length, (index) => {
        const key = keys[index] ?? ""
        text += `${JSON.stringify(key.slice(0, limit + 1))}:`
        write((inner as Record<string, unknown>)[key])
      })
    } else text += String(inner)
  }
  const writeItems = (open: string, close: string, count: number, writeItem: (index: number) => void) => {
    text += open
    for (let index = 0; index < count && !isFull(); index++) {
      if (index > 0) text += ","
      writeItem(index)
    }
    text += close
  }
  write(value)
  return { text: text.slice(0, limit).toWellFormed(), isWhole: !isFull() }
}

/** A value that was given, as it is where it is short, else the beginning of its text. */
function boundValue(value: unknown, limit: number): { readonly shown: unknown; readonly size: number } {
  if (typeof value === "string" && value.length > limit) return { shown: cutMiddle(value, limit), size: limit }
  const { text, isWhole } = beginningOf(value, limit)
  return { shown: isWhole ? value : `${text}${CUT}`, size: text.length }
}

function boundPlace(loc: ValidationIssue["loc"]): ValidationIssue["loc"] {
  const half = ECHO_LIMITS.keys / 2
  const kept = loc.length > ECHO_LIMITS.keys ? [...loc.slice(0, half), CUT, ...loc.slice(-half)] : loc
  return kept.map((key) => (typeof key === "string" ? cutMiddle(key, ECHO_LIMITS.value) : key))
}

function boundContext(ctx: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const limitOf = (value: unknown) => (typeof value === "string" ? ECHO_LIMITS.value : ECHO_LIMITS.values)
  return Object.fromEntries(Object.entries(ctx).map(([key, value]) => [key, boundValue(value, limitOf(value)).shown]))
}

/** The issues of a request, as many and as much of each as an answer shows. The last one says how many are left out. */
export function boundIssues(issues: readonly ValidationIssue[]): ValidationIssue[] {
  const shown: ValidationIssue[] = []
  let echoed = 0
  let size = 0
  for (const { loc, msg, input, ctx, ...rest } of issues) {
    if (shown.length === ECHO_LIMITS.issues || size > ECHO_LIMITS.all) break
    const issue: ValidationIssue = { ...rest, loc: boundPlace(loc), msg: boundText(msg) }
    if (input !== undefined && echoed < ECHO_LIMITS.values) {
      const bound = boundValue(input, Math.min(ECHO_LIMITS.value, ECHO_LIMITS.values - echoed))
      issue.input = bound.shown
      echoed += bound.size
    }
    if (ctx !== undefined) issue.ctx = boundContext(ctx)
    shown.push(issue)
    size += JSON.stringify(issue).length
  }
  const left = issues.length - shown.length
  if (left > 0) {
    const [root = "body"] = issues[0]?.loc ?? []
    shown.push({ loc: [root], msg: `${left} more places are wrong and not shown here`, type: "too_many_issues" })
  }
  return shown
}
