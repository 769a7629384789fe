import { TemplateSyntaxFailure } from "./syntax-failure.ts"
import { stringOf } from "./string-literal.ts"
import { pythonTrimEnd } from "../values/white-space.ts"

export type PythonTokenType = "data" | "begin" | "end" | "name" | "integer" | "float" | "string" | "operator" | "eof"

/** A token of a template. Tokens of type `begin` and `end` have the value `{{` or `{%`. */
export interface PythonToken {
  readonly type: PythonTokenType
  readonly value: string
  /** The line of the source, from 1. */
  readonly line: number
}

const NEW_LINE = /\r\n|\r|\n/g
const TAG = /\{(?:%([-+]?)\s*raw\s*(?:-%\}\s*|%\})|([%{#])([-+]?))/g
const COMMENT_END = /\+#\}|-#\}\s*|#\}\n?/g
const RAW_END = /\{%([-+]?)\s*endraw\s*(?:\+%\}|-%\}\s*|%\}\n?)/g
const BLOCK_END = /\+%\}|-%\}\s*|%\}\n?/y
const VARIABLE_END = /-\}\}\s*|\}\}/y
const SPACE = /\s+/y
const FLOAT = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy
const INTEGER = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy
const NAME = /[\p{L}\p{N}\p{M}_]+/uy
const STRING = /'[^'\\]*(?:\\[^][^'\\]*)*'|"[^"\\]*(?:\\[^][^"\\]*)*"/y
const OPERATOR = /\*\*|\/\/|[=!<>]=|[-+/*%~[\](){}<>=.:|,;]/y
const BRACKETS: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
])
const CLOSING = new Set(BRACKETS.values())

/**
 * Splits a template into tokens as Jinja does with `trim_blocks` and `lstrip_blocks`: line ends become `\n`, the last one is
 * removed, and so are white space before a block on its own line and one line end after a block.
 * @throws TemplateSyntaxFailure
 */
export function tokenizeTemplate(template: string): readonly PythonToken[] {
  const lines = template.replaceAll(NEW_LINE, "\n")
  const source = lines.endsWith("\n") ? lines.slice(0, -1) : lines
  const reader = createReader(source)
  while (reader.at < source.length) readText(reader)
  reader.add("eof", "")
  return reader.tokens
}

interface Reader {
  readonly source: string
  readonly tokens: PythonToken[]
  at: number
  /** Whether the last match ended with a line end. */
  isLineStart: boolean
  /** Adds a token that begins at the current position. */
  readonly add: (type: PythonTokenType, value: string) => void
  /** Matches a sticky expression here, and moves behind it. */
  readonly take: (expression: RegExp) => string | undefined
  readonly line: () => number
}

function createReader(source: string): Reader {
  let counted = 0
  let line = 1
  const reader: Reader = {
    source,
    tokens: [],
    at: 0,
    isLineStart: true,
    add: (type, value) => void reader.tokens.push({ type, value, line: reader.line() }),
    take(expression) {
      expression.lastIndex = reader.at
      const [found] = expression.exec(source) ?? []
      if (found === undefined) return undefined
      reader.at += found.length
      reader.isLineStart = found.endsWith("\n")
      return found
    },
    line() {
      for (; counted < reader.at; counted++) if (source.charCodeAt(counted) === 10) line++
      return line
    },
  }
  return reader
}

/** Reads the text before the next tag, and the tag. */
function readText(reader: Reader): void {
  const { source } = reader
  TAG.lastIndex = reader.at
  const found = TAG.exec(source)
  const [tag = "", rawSign, kind, sign] = found ?? []
  const text = source.slice(reader.at, found?.index)
  const isBlock = found !== null && kind !== "{"
  const shown = found === null ? text : stripped(text, { sign: rawSign ?? sign, isBlock, reader })
  if (shown !== "") reader.add("data", shown)
  reader.at = (found?.index ?? source.length) + tag.length
  reader.isLineStart = tag.endsWith("\n")
  if (found === null) return
  if (kind === "#") skipComment(reader)
  else if (kind === undefined) readRaw(reader)
  else readTag(reader, kind === "%" ? "{%" : "{{")
}

interface StripOptions {
  readonly sign: string | undefined
  readonly isBlock: boolean
  readonly reader: Pick<Reader, "isLineStart">
}

/** Returns a text without the white space that the tag behind it removes. */
function stripped(text: string, { sign, isBlock, reader }: StripOptions): string {
  if (sign === "-") return pythonTrimEnd(text)
  if (sign === "+" || !isBlock) return text
  const start = text.lastIndexOf("\n") + 1
  if (start === 0 && !reader.isLineStart) return text
  return /^\s+$/.test(text.slice(start)) ? text.slice(0, start) : text
}

function skipComment(reader: Reader): void {
  const { source, at } = reader
  COMMENT_END.lastIndex = at
  const end = COMMENT_END.exec(source)
  if (end === null) throw new TemplateSyntaxFailure("'{#' is not closed with '#}'", reader.line())
  reader.at = end.index + end[0].length
  reader.isLineStart = end[0].endsWith("\n")
}

function readRaw(reader: Reader): void {
  const { source, at } = reader
  RAW_END.lastIndex = at
  const end = RAW_END.exec(source)
  if (end === null) throw new TemplateSyntaxFailure("'raw' is not closed with 'endraw'", reader.line())
  const text = stripped(source.slice(at, end.index), { sign: end[1], isBlock: true, reader })
  if (text !== "") reader.add("data", text)
  reader.at = end.index + end[0].length
  reader.isLineStart = end[0].endsWith("\n")
}

/** Reads the tokens of a tag up to its end. Inside brackets, nothing ends a tag. */
function readTag(reader: Reader, tag: "{{" | "{%"): void {
  const { source } = reader
  const begun = reader.line()
  reader.add("begin", tag)
  const open: string[] = []
  while (reader.at < source.length) {
    const line = reader.line()
    if (open.length === 0 && reader.take(tag === "{%" ? BLOCK_END : VARIABLE_END) !== undefined) {
      reader.tokens.push({ type: "end", value: tag, line })
      return
    }
    if (reader.take(SPACE) === undefined) readToken(reader, open)
  }
  const closing = tag === "{{" ? "}}" : "%}"
  throw new TemplateSyntaxFailure(`'${tag}' is not closed with '${closing}'`, begun)
}

function readToken(reader: Reader, open: string[]): void {
  const line = reader.line()
  const add = (type: PythonTokenType, value: string) => void reader.tokens.push({ type, value, line })
  const float = reader.take(FLOAT)
  if (float !== undefined) return add("float", float)
  const integer = reader.take(INTEGER)
  if (integer !== undefined) return add("integer", integer)
  const name = reader.take(NAME)
  if (name !== undefined) return add("name", name)
  const string = reader.take(STRING)
  if (string !== undefined) return add("string", stringOf(string.slice(1, -1), line))
  const operator = reader.take(OPERATOR)
  if (operator === undefined) {
    const character = String.fromCodePoint(reader.source.codePointAt(reader.at) ?? 0)
    const text = `'"`.includes(character) ? `a text that begins with ${character} is not closed` : undefined
    throw new TemplateSyntaxFailure(text ?? `Unexpected character: ${character}`, line)
  }
  balance(operator, open, line)
  add("operator", operator)
}

function balance(operator: string, open: string[], line: number): void {
  const closing = BRACKETS.get(operator)
  if (closing !== undefined) open.push(closing)
  if (!CLOSING.has(operator)) return
  const expected = open.pop()
  if (expected === operator) return
  const text = expected === undefined ? `Unexpected '${operator}'` : `Unexpected '${operator}', expected '${expected}'`
  throw new TemplateSyntaxFailure(text, line)
}
