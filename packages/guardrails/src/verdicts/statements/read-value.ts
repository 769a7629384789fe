import { ABSENT_WORDS, VOCABULARIES, type Vocabulary } from "../data/keys.ts"
import { plainWord } from "../text/plain-words.ts"
import type { Value } from "./statement.ts"

/** Reads the whole value of a key by its vocabulary. A part of a value is never read as the value. */
export function readValue(value: unknown, vocabulary: Vocabulary): Value {
  if (value === null) return "absent"
  const isFlag = vocabulary === "flag" || vocabulary === "safe-flag" || vocabulary === "raised"
  const isWord = (isFlag && typeof value === "boolean") || (vocabulary === "raised" && typeof value === "number")
  const text = isWord ? String(value) : value
  if (typeof text !== "string" || text.length > 200) return "unknown"
  const word = plainWord(text)
  if (ABSENT_WORDS.has(word)) return "absent"
  return Object.hasOwn(VOCABULARIES[vocabulary], word) ? (VOCABULARIES[vocabulary][word] ?? "unknown") : "unknown"
}

/** Returns whether a text at the end of the answer may be the beginning of a word of the vocabulary. */
export function isBeginning(text: string, words: readonly string[]): boolean {
  const begun = plainWord(text)
  return begun !== "" && words.some((word) => word !== begun && word.startsWith(begun))
}

export interface TextValue {
  readonly value: Value
  /** The text after the value on its line. */
  readonly remark: string
  /** The position of the end of the value. */
  readonly end: number
}

/** Marks between a separator and a value. A quote ends them. */
const LEADING = /^[\s*`_~\\]{0,100}(["'])?[\s*`_~\\]{0,100}/
/** Maximum number of characters of a value. Every value, and every placeholder that a judge copies, is shorter. */
const LONGEST = 120

/** Reads the value after a key. `isLast`: the answer ends with it. */
export function readTextValue(part: string, vocabulary: Vocabulary, isLast: boolean): TextValue {
  const leading = LEADING.exec(part)
  const from = leading?.[0].length ?? 0
  const rest = part.slice(from, from + LONGEST)
  const isEnd = isLast && from + rest.length === part.length
  const words = Object.keys(VOCABULARIES[vocabulary])
  if (rest === "" || /^[\s"'{}[\],;|<]*$/.test(rest))
    return { value: emptyValue(leading?.[1], rest), remark: "", end: from }
  const read =
    leading?.[1] === undefined
      ? readBare(rest, vocabulary, isEnd, words)
      : readQuoted(rest, leading[1], vocabulary, isEnd)
  return { value: read.value, remark: lineOf(part, from + read.end), end: from + read.end }
}

function lineOf(part: string, from: number): string {
  const end = part.indexOf("\n", from)
  return part.slice(from, end < 0 ? part.length : end)
}

type ReadValue = Omit<TextValue, "remark">

/** Returns `absent` for an empty pair of quotes, and `missing` if the text ends or continues before the value. */
function emptyValue(quote: string | undefined, rest: string): Value {
  return quote !== undefined && rest.startsWith(quote) ? "absent" : "missing"
}

function readQuoted(rest: string, quote: string, vocabulary: Vocabulary, isEnd: boolean): ReadValue {
  const end = rest.search(/["\n{}]|'(?![a-z])/)
  const stop = end < 0 ? rest.length : end
  if (end < 0 && isEnd) return { value: "cut", end: stop }
  if (rest[stop] === quote) return { value: readValue(rest.slice(0, stop), vocabulary), end: stop + 1 }
  // A quote is never closed: the value ends with the line or the brace, and a list after it is not part of it.
  const text = rest.slice(0, stop).replace(/[,;][\s\S]*$/, "")
  return { value: readValue(text, vocabulary), end: text.length }
}

function readBare(rest: string, vocabulary: Vocabulary, isEnd: boolean, words: string[]): ReadValue {
  const end = rest.search(/[,;|(){}[\]<>"'\n/?]|[.!:](?=\s+\S)|:(?=\S)|->|\s[-–—=]+(?:\s|>)/)
  const stop = end < 0 ? rest.length : end
  if (stop === 0 && /^[{[(<]/.test(rest)) return { value: "unknown", end: 0 }
  const word = rest.slice(0, stop)
  const value = readValue(word, vocabulary)
  if (rest[stop] === "/" || rest[stop] === "|") return readSlashed(rest, vocabulary)
  if (value === "unknown" && end < 0 && isEnd && isBeginning(word, words)) return { value: "cut", end: stop }
  return { value, end: stop }
}

/** Reads a value with a slash, such as "N/A". "safe/unsafe" is a choice, not a value. */
function readSlashed(rest: string, vocabulary: Vocabulary): ReadValue {
  const whole = /^[^\s,;(){}[\]<>"'\n]{0,40}/.exec(rest)?.[0] ?? ""
  return { value: readValue(whole.replace(/\|$/, ""), vocabulary), end: whole.length }
}
