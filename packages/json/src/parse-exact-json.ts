import {
  changeOf,
  listChangingNumbers,
  listSuspects,
  mayChange,
  type NumberSpan,
  type LostNumber,
} from "./changing-numbers.ts"
import { exactNumber, isExactNumber, nearestNumber } from "./exact-number.ts"
import type { KeptNumbers } from "./suspect-number.ts"

/** The value of a JSON text, or its first number that can't be kept. */
export type ExactJson =
  | { readonly value: unknown; readonly hasExact: boolean; readonly lost: null }
  | { readonly value: null; readonly hasExact: false; readonly lost: LostNumber }

/**
 * Rarely used control characters. One that is not in the text marks the strings that replace numbers during parsing. They are Latin-1,
 * so the text stays a string of one byte per character; others are parsed at half the speed.
 */
const MARKS = ["\u009f", "\u0097", "\u0084"]
/** The beginnings of their escapes. */
const ESCAPED_MARKS = ["\\u009", "\\u008"]

/**
 * Parses JSON and keeps numbers that would change as {@link ExactNumber}. They are replaced by marked strings before `JSON.parse`, and
 * put back afterwards: a reviver, which is called for every value, takes several times as long. `suspects` are the offsets of numbers
 * that may change. Default: they are searched for.
 * @throws `SyntaxError` if the text is not JSON
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
    // Parse the original text, so that the error has the right position.
    JSON.parse(text)
    throw error
  }
}

/** Replaces `count` marked strings by numbers. A loop, because values can be nested deeper than the stack allows. */
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

/** Sets a property, also one named `__proto__`, which an assignment can't set. */
function setOwn(holder: object, key: string, value: unknown): void {
  if (key !== "__proto__") (holder as Record<string, unknown>)[key] = value
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Parses a text that contains every mark or an escaped one. */
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

/** Thrown for a number whose size would be lost, such as 1e400. */
export class LostNumberError extends SyntaxError {
  override readonly name = "LostNumberError"
  /** Its offset in the JSON text. */
  readonly at: number

  constructor({ text, at }: LostNumber) {
    const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
    super(`The number ${shown} can't be kept, write it as text, at position ${at}`)
    this.at = at
  }
}

/**
 * Parses JSON and keeps numbers that would change as `ExactNumber`s.
 * @throws `SyntaxError` if the text is not JSON; `LostNumberError` if it has a number that can't be kept, such as 1e400
 */
export function parseJsonExactly(text: string): unknown {
  if (!mayChange(text)) return JSON.parse(text)
  const { value, lost } = parseExactJson(text)
  if (lost === null) return value
  throw new LostNumberError(lost)
}

/** Keys of records whose values are data of users: rows, custom fields, and row schemas. */
const USER_DATA: ReadonlySet<string> = new Set(["rows", "custom_fields", "schema", "schema_defs", "schemas_by_path"])

/** Returns whether a property of a record holds data of users, whose numbers are kept. */
export function holdsUserData(key: string, value: unknown): boolean {
  return USER_DATA.has(key) && typeof value === "object" && value !== null && (key !== "rows" || Array.isArray(value))
}

/**
 * Parses the JSON of a record in which some properties hold data of users. Numbers in those are kept as in `parseJsonExactly`. Other
 * numbers become the nearest JavaScript number, as the schemas of records expect.
 * @throws as `parseJsonExactly`
 */
export function parseJsonRecord(text: string): unknown {
  return mayChange(text) ? roundRecord(parseJsonExactly(text)) : JSON.parse(text)
}

/** Rounds numbers in place, which is safe because nobody else has the value yet. */
function roundRecord(value: unknown): unknown {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return nearestNumber(value)
  for (const [key, part] of Object.entries(value)) {
    if (!isExactNumber(part) && holdsUserData(key, part)) continue
    const rounded: unknown = roundRecord(part)
    // An assignment can't set a key named `__proto__`.
    if (rounded !== part)
      Object.defineProperty(value, key, { value: rounded, enumerable: true, configurable: true, writable: true })
  }
  return value
}
