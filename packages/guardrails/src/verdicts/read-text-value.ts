import { VOCABULARIES, type Vocabulary } from "./data/verdict-keys.ts"
import { isBeginning, readValue } from "./read-value.ts"
import type { Value } from "./statement.ts"

export interface TextValue {
  readonly value: Value
  /** What stands behind the value on its line. */
  readonly remark: string
}

/** Marks that may stand between a separator and a value; a quote ends them. */
const LEADING = /^[\s*`_~\\]{0,100}(["'])?[\s*`_~\\]{0,100}/
/** Longer than every value and every placeholder that a judge copies. */
const LONGEST = 120

/** Reads the value at the beginning of what stands behind a key. `isLast` says that the answer ends with it. */
export function readTextValue(part: string, vocabulary: Vocabulary, isLast: boolean): TextValue {
  const leading = LEADING.exec(part)
  const from = leading?.[0].length ?? 0
  const rest = part.slice(from, from + LONGEST)
  const isEnd = isLast && from + rest.length === part.length
  const words = Object.keys(VOCABULARIES[vocabulary])
  if (rest === "" || /^[\s"'{}[\],;|<]*$/.test(rest))
    return { value: emptyValue(leading?.[1], rest, isEnd), remark: "" }
  return leading?.[1] === undefined
    ? readBare(rest, part.slice(from), vocabulary, isEnd, words)
    : readQuoted(rest, leading[1], vocabulary, isEnd)
}

/** A pair of quotes with nothing between says that there is no value; else the text ends before it. */
function emptyValue(quote: string | undefined, rest: string, isEnd: boolean): Value {
  return isEnd && !(quote !== undefined && rest.startsWith(quote)) ? "missing" : "absent"
}

function readQuoted(rest: string, quote: string, vocabulary: Vocabulary, isEnd: boolean): TextValue {
  const end = rest.search(/["\n{}]|'(?![a-z])/)
  const stop = end < 0 ? rest.length : end
  if (end < 0 && isEnd) return { value: "cut", remark: "" }
  // A quote that is never closed: the value ends with the line or the brace, and a list behind it is not part of it.
  const text = rest[stop] === quote ? rest.slice(0, stop) : rest.slice(0, stop).replace(/[,;][\s\S]*$/, "")
  return { value: readValue(text, vocabulary), remark: "" }
}

function readBare(rest: string, part: string, vocabulary: Vocabulary, isEnd: boolean, words: string[]): TextValue {
  const end = rest.search(/[,;|(){}[\]<>"'\n/]|[.!?:](?=\s+\S)|\s[-–—]+(?:\s|>)/)
  const stop = end < 0 ? rest.length : end
  if (stop === 0 && /^[{[(<]/.test(rest)) return { value: "unknown", remark: "" }
  const word = rest.slice(0, stop)
  const value = readValue(word, vocabulary)
  if (rest[stop] === "/" || rest[stop] === "|") return readSlashed(rest, part, vocabulary)
  if (value === "unknown" && end < 0 && isEnd && isBeginning(word, words)) return { value: "cut", remark: "" }
  const line = part.indexOf("\n", stop)
  return { value, remark: part.slice(stop, line < 0 ? part.length : line) }
}

/** "N/A" has a slash in it; "safe/unsafe" is a choice and no value. */
function readSlashed(rest: string, part: string, vocabulary: Vocabulary): TextValue {
  const whole = /^[^\s,;(){}[\]<>"'\n]{0,40}/.exec(rest)?.[0] ?? ""
  const line = part.indexOf("\n")
  const remark = part.slice(whole.length, line < 0 ? part.length : Math.max(line, whole.length))
  return { value: readValue(whole.replace(/\|$/, ""), vocabulary), remark }
}
