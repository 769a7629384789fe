import { exactNumber, type ExactNumber, plainNumber } from "@assay/json"
import { badFilter } from "./filter-syntax.ts"

/** A token of the JSON form or the text form. */
export interface FilterToken {
  readonly kind: "word" | "string" | "symbol" | "end"
  /** The value of a string; the written text of any other token. */
  readonly text: string
  /** The offset of its first character, and the offset after its last one. */
  readonly start: number
  readonly end: number
}

const SYMBOLS = { json: /[{}[\]:,]/y, text: /[<>!]=?|[:~=()[\],]|-(?!\d)/y } as const
const WORDS = { json: /[^\s{}[\]:,"]+/y, text: /[^\s:~=<>!()[\],"]+/y } as const
const UNREADABLE_STRING =
  "a string needs a closing quote and the escapes of JSON, without \\u0000 and half surrogate pairs"
const SPACE = /\s*/y

/** Splits a text into tokens, of which the last is the end token. Both forms have the strings of JSON. @throws `bad_filter` */
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

/** Returns the offset after the match of a sticky pattern at `at`; `at` itself if it does not match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/**
 * Reads the JSON string that begins with the quote at `start`. Returns its value and the offset after its end; undefined if it has no
 * end, an unknown escape, a control character, or text that no record can contain.
 */
export function scanJsonString(text: string, start: number): { value: string; end: number } | undefined {
  let last = start + 1
  while (last < text.length && text[last] !== '"') last += text[last] === "\\" ? 2 : 1
  const value = decode(text.slice(start, last + 1))
  return value !== undefined && isStorableText(value) ? { value, end: last + 1 } : undefined
}

function decode(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted)
    return typeof value === "string" ? value : undefined
  } catch {
    return undefined
  }
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Parses a JSON number, and keeps its text if no JavaScript number has all of its digits. Undefined if the text is not a number. */
export function parseJsonNumber(text: string): number | ExactNumber | undefined {
  return JSON_NUMBER.test(text) ? (plainNumber(text) ?? exactNumber(text)) : undefined
}

/** Returns whether every database can store a text. PostgreSQL rejects U+0000, and UTF-8 can't encode half a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed()
}
