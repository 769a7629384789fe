import type { AssayError } from "../errors/assay-error.ts"
import { badFilter, excerpt, type FilterLocation } from "./filter-syntax.ts"
import type { FilterScalar } from "./filter.ts"
import { parseJsonNumber, tokenizeFilter, type FilterToken } from "./tokenize-filter.ts"

/** The position of a parser in the tokens of a text. */
export interface FilterCursor {
  /** Returns the next token without consuming it. At the end, returns the end token. */
  peek(): FilterToken
  /** Consumes and returns the next token. */
  next(): FilterToken
  /** Consumes the next token if it is this symbol, or this word in any case. Returns whether it is. */
  take(kind: "symbol" | "word", text: string): boolean
  /** Returns the location of the next token. */
  location(): FilterLocation
  /** Returns the text from `start` up to the next token. */
  written(start: number): string
  /** Creates the error for a next token that is not `what`. */
  expected(what: string): AssayError
}

/** Creates a cursor at the beginning of `text`. @throws `bad_filter` if a string can't be read */
export function createFilterCursor(text: string, form: "json" | "text", parameter: string): FilterCursor {
  const tokens = tokenizeFilter(text, form, parameter)
  const end: FilterToken = { kind: "end", text: "", start: text.length, end: text.length }
  let index = 0
  const peek = () => tokens[index] ?? end
  const location = () => ({ parameter, position: peek().start })
  return {
    peek,
    next() {
      const token = peek()
      index += 1
      return token
    },
    take(kind, text) {
      const isAhead = peek().kind === kind && peek().text.toUpperCase() === text
      if (isAhead) index += 1
      return isAhead
    },
    location,
    written: (start) => text.slice(start, peek().start).trim(),
    expected(what) {
      const { kind, start, end } = peek()
      const found = kind === "end" ? "the text ends there" : `it has '${excerpt(text.slice(start, end))}'`
      return badFilter(`${what} is expected, but ${found}`, location())
    },
  }
}

/** Reads items separated by commas, and the symbol `close` at the end. @throws `bad_filter` */
export function readItems<T>(cursor: FilterCursor, close: string, readItem: () => T): readonly T[] {
  const items: T[] = []
  if (cursor.take("symbol", close)) return items
  do items.push(readItem())
  while (cursor.take("symbol", ","))
  if (!cursor.take("symbol", close)) throw cursor.expected(`, or ${close}`)
  return items
}

/** Reads a number, `true`, `false` or `null`. @throws `bad_filter` that says `what` is expected */
export function readJsonWord(cursor: FilterCursor, what: string): FilterScalar {
  const { kind, text } = cursor.peek()
  const value = kind === "word" ? valueOf(text) : undefined
  if (value === undefined) throw cursor.expected(what)
  cursor.next()
  return value
}

function valueOf(word: string): FilterScalar | undefined {
  if (word === "null") return null
  if (word === "true") return true
  return word === "false" ? false : parseJsonNumber(word)
}
