import { badFilter } from "./filter-errors.ts"
import { scanJsonString } from "./json-literals.ts"

/** A piece of the JSON form or the text form. */
export interface FilterToken {
  readonly kind: "word" | "string" | "symbol" | "end"
  /** What a string says; of all others, what is written. */
  readonly text: string
  /** Its offset, and the offset behind it. */
  readonly start: number
  readonly end: number
}

const SYMBOLS = { json: /[{}[\]:,]/y, text: /[<>!]=?|[:~=()[\],]|-(?!\d)/y } as const
const WORDS = { json: /[^\s{}[\]:,"]+/y, text: /[^\s:~=<>!()[\],"]+/y } as const
const UNREADABLE_STRING =
  "a string needs a closing quote and JSON's escapes, and holds no \\u0000 and no half of a surrogate pair"
const SPACE = /\s*/y

/** The tokens of a text, the last of which is its end. Strings are those of JSON in both forms. @throws `bad_filter` */
export function tokenizeFilter(text: string, form: "json" | "text", parameter: string): readonly FilterToken[] {
  const tokens: FilterToken[] = []
  let start = endOf(SPACE, text, 0)
  while (start < text.length) {
    const token = tokenAt(text, start, form, parameter)
    tokens.push(token)
    start = endOf(SPACE, text, token.end)
  }
  tokens.push({ kind: "end", text: "", start, end: start })
  return tokens
}

function tokenAt(text: string, start: number, form: "json" | "text", parameter: string): FilterToken {
  if (text[start] === '"') {
    const string = scanJsonString(text, start)
    if (string === undefined) throw badFilter(UNREADABLE_STRING, { parameter, position: start })
    return { kind: "string", text: string.value, start, end: string.end }
  }
  const symbol = endOf(SYMBOLS[form], text, start)
  const end = symbol > start ? symbol : endOf(WORDS[form], text, start)
  return { kind: symbol > start ? "symbol" : "word", text: text.slice(start, end), start, end }
}

/** The offset behind what a sticky pattern matches at `at`; `at` itself where it matches nothing. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
