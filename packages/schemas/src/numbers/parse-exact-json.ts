import { changeOf, listChangingNumbers, listSuspects, mayChange, type NumberSpan } from "./changing-numbers.ts"
import { exactNumber, isExactNumber, nearestNumber } from "./exact-number.ts"

/**
 * What of numbers is kept: their `text`, so that 1.50 stays 1.50, or their `value`, so that 1.50 becomes 1.5 and only what no
 * number of JavaScript holds is kept as text. A fraction of up to 20 digits is its nearest number then, unless that could be whole.
 */
export type KeptNumbers = "text" | "value"

/** A number of which not even the size can be kept: it would become infinite, or 0. */
export interface LostNumber {
  readonly text: string
  /** Where it begins in the JSON text. */
  readonly at: number
}

/** The value of JSON text, or the first number that can't be kept. */
export type ExactJson =
  | { readonly value: unknown; readonly hasExact: boolean; readonly lost: null }
  | { readonly value: null; readonly hasExact: false; readonly lost: LostNumber }

/**
 * Control characters that nobody uses, of which one begins the texts that stand for numbers while the rest is parsed. Like those of most texts
 * they take one byte: a text of others is parsed at half the speed.
 */
const MARKS = ["\u009f", "\u0097", "\u0084"]
/** Begins the escaped ones among them. */
const ESCAPED_MARKS = ["\\u009", "\\u008"]

/**
 * Parses JSON, and keeps the numbers that would change as {@link ExactNumber}. Each is replaced by a text with a mark, and put back
 * into what `JSON.parse` gives: a reviver, which is called with every value, takes several times as long. `suspects` says where the numbers
 * begin that may change. Default: they are looked for.
 * @throws `SyntaxError` where the text is not JSON
 */
export function parseExactJson(text: string, kept: KeptNumbers = "text", suspects?: readonly number[]): ExactJson {
  const { numbers, lost } = listChangingNumbers(text, suspects ?? listSuspects(text), kept)
  if (lost !== null) {
    JSON.parse(text)
    return { value: null, hasExact: false, lost }
  }
  if (numbers.length === 0) return { value: JSON.parse(text) as unknown, hasExact: false, lost }
  const mark = MARKS.find((one) => !text.includes(one))
  if (mark === undefined || ESCAPED_MARKS.some((one) => text.includes(one))) return parseSlowly(text, kept)
  return { value: unmark(parseMarked(text, numbers, mark), mark, numbers.length), hasExact: true, lost }
}

function parseMarked(text: string, numbers: readonly NumberSpan[], mark: string): unknown {
  let marked = ""
  let from = 0
  for (const { start, end } of numbers) {
    marked += `${text.slice(from, start)}"${mark}${text.slice(start, end)}"`
    from = end
  }
  try {
    return JSON.parse(marked + text.slice(from)) as unknown
  } catch (error) {
    // What it throws for the text itself names the right place.
    JSON.parse(text)
    throw error
  }
}

/** Puts numbers in the place of `count` marked texts. A loop, since a text can be nested deeper than the stack. */
function unmark(root: unknown, mark: string, count: number): unknown {
  if (typeof root === "string") return exactNumber(root.slice(1))
  const code = mark.charCodeAt(0)
  const waiting: unknown[] = [root]
  let left = count
  for (let next = 0; left > 0 && next < waiting.length; next++) {
    const holder = waiting[next] as Readonly<Record<string, unknown>>
    for (const key of Object.keys(holder)) {
      const part = holder[key]
      if (typeof part === "object" && part !== null) waiting.push(part)
      else if (typeof part === "string" && part.charCodeAt(0) === code) {
        setOwn(holder, key, exactNumber(part.slice(1)))
        left--
      }
    }
  }
  return root
}

/** `__proto__` can't be set by assignment. */
function setOwn(holder: object, key: string, value: unknown): void {
  if (key !== "__proto__") (holder as Record<string, unknown>)[key] = value
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

/** For a text that holds every mark, or escapes one. */
function parseSlowly(text: string, kept: KeptNumbers): ExactJson {
  let lost: string | undefined
  let hasExact = false
  const value = JSON.parse(text, (_key, part: unknown, context?: { readonly source?: string }) => {
    const source = context?.source
    if (typeof part !== "number" || source === undefined) return part
    const change = changeOf(source, kept)
    if (change === "lost") lost ??= source
    if (change !== "kept") return part
    hasExact = true
    return exactNumber(source)
  }) as unknown
  return lost === undefined
    ? { value, hasExact, lost: null }
    : { value: null, hasExact: false, lost: { text: lost, at: text.indexOf(lost) } }
}

const MAX_SHOWN = 40

/**
 * Parses JSON, and keeps the numbers that would change as `ExactNumber`s.
 * @throws `SyntaxError` for what is not JSON, and for a number that can't be kept, such as 1e400
 */
export function parseJsonExactly(text: string): unknown {
  if (!mayChange(text)) return JSON.parse(text)
  const { value, lost } = parseExactJson(text)
  if (lost === null) return value
  const shown = lost.text.length > MAX_SHOWN ? `${lost.text.slice(0, MAX_SHOWN)}…` : lost.text
  throw new SyntaxError(`The number ${shown} can't be kept, write it as text, at position ${lost.at}`)
}

/**
 * Parses the JSON of a record in which lists called `rows` are data of users. Numbers in those are as `parseJsonExactly` has them, and others are
 * the nearest of JavaScript, as schemas of records expect them.
 * @throws as `parseJsonExactly`
 */
export function parseJsonWithRows(text: string): unknown {
  return text.includes('"rows"') ? roundOutsideRows(parseJsonExactly(text)) : JSON.parse(text)
}

/** Changes `value`, which nobody else has. */
function roundOutsideRows(value: unknown): unknown {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return nearestNumber(value)
  for (const [key, part] of Object.entries(value)) {
    if (key === "rows" && Array.isArray(part)) continue
    const rounded: unknown = roundOutsideRows(part)
    // A key may be called `__proto__`, which can't be set by assignment.
    if (rounded !== part)
      Object.defineProperty(value, key, { value: rounded, enumerable: true, configurable: true, writable: true })
  }
  return value
}
