import { type TemplateWhitespace, templateEngine } from "../engine/template-engine.ts"
import { type TemplateFault, templateFault } from "../faults/template-fault.ts"
import { isEngineGap } from "./engine-gaps.ts"
import { nodeLines } from "./node-lines.ts"
import { parserWords } from "./parser-words.ts"
import type { SyntaxNode } from "./syntax-node.ts"
import { type TemplateToken, tokenLines } from "./token-lines.ts"

export interface ParsedTemplate {
  readonly program: SyntaxNode
  readonly lines: ReadonlyMap<SyntaxNode, number>
}

export type ParseResult =
  | { readonly template: ParsedTemplate; readonly fault: null }
  | { readonly template: null; readonly fault: TemplateFault }

/** Parses a template, or returns its first fault. One line feed at the very end is removed, as Jinja does. */
export function parseTemplate(source: string, whitespace: TemplateWhitespace): ParseResult {
  const failed = (fault: TemplateFault): ParseResult => ({ template: null, fault })
  let tokens: readonly TemplateToken[]
  try {
    tokens = templateEngine.tokenize(source, whitespace)
  } catch (error) {
    return failed(lexicalFault(source, whitespace, describeParserError(error)))
  }
  const lines = tokenLines(source, tokens)
  let furthest = 0
  try {
    const program = templateEngine.parse(watched(tokens, (index) => (furthest = Math.max(furthest, index))))
    return { template: { program, lines: nodeLines(program, tokens, lines) }, fault: null }
  } catch (error) {
    if (furthest >= tokens.length) return failed(unclosedTag(source) ?? unclosedBlock(tokens, lines))
    const message = describeParserError(error)
    return failed(
      templateFault(
        lines[furthest] ?? 1,
        `can't be parsed: ${parserWords(message, tokens[furthest])}`,
        isEngineGap(message),
      ),
    )
  }
}

/** Finds the line of a lexical error by bisection: the shortest beginning of the template with this error ends on that line. */
function lexicalFault(source: string, whitespace: TemplateWhitespace, message: string): TemplateFault {
  const open = unclosedTag(source)
  if (open !== undefined) return open
  const ends = [...source.matchAll(/\n|$/g)].map(({ index }) => index)
  let low = 0
  let high = ends.length - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (lexicalError(source.slice(0, ends[middle]), whitespace) === message) high = middle
    else low = middle + 1
  }
  return templateFault(low + 1, `can't be parsed: ${message}`)
}

function lexicalError(source: string, whitespace: TemplateWhitespace): string | undefined {
  try {
    templateEngine.tokenize(source, whitespace)
    return undefined
  } catch (error) {
    return describeParserError(error)
  }
}

/** Reports each index at which the parser reads a token. The highest one is where it stopped. */
function watched(tokens: readonly TemplateToken[], onIndex: (index: number) => void): readonly TemplateToken[] {
  return new Proxy(tokens, {
    get(target, property, receiver) {
      if (typeof property === "string" && /^\d+$/.test(property)) onIndex(Number(property))
      return Reflect.get(target, property, receiver) as unknown
    },
  })
}

function describeParserError(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply"
  return error instanceof Error ? error.message.replace(/^Parser Error: /, "").replace(/\.$/, "") : String(error)
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["{{", "}}"],
  ["{%", "%}"],
  ["{#", "#}"],
])
const OPENING = /\{[{%#]/g
const IN_TAG = /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|['"]|[%}]\}/g

const BLOCKS = new Set(["if", "for", "macro", "call", "filter", "set"])

/** Finds the first tag, or the first string within a tag, that is never closed. */
function unclosedTag(source: string): TemplateFault | undefined {
  for (let at = 0; ;) {
    OPENING.lastIndex = at
    const opening = OPENING.exec(source)
    if (opening === null) return undefined
    const closing = CLOSING.get(opening[0]) ?? ""
    const line = source.slice(0, opening.index).split("\n").length
    const end =
      opening[0] === "{#" ? source.indexOf(closing, opening.index + 2) : endOfTag(source, opening.index + 2, closing)
    if (end === -1) return templateFault(line, `can't be parsed: '${opening[0]}' is not closed with '${closing}'`)
    at = end + 2
  }
}

/** Returns the index of `closing` outside of strings, or -1. */
function endOfTag(source: string, from: number, closing: string): number {
  IN_TAG.lastIndex = from
  for (let found = IN_TAG.exec(source); found !== null; found = IN_TAG.exec(source)) {
    if (found[0] === closing) return found.index
    if (found[0] === "'" || found[0] === '"') return -1
  }
  return -1
}

/** Finds the innermost block that is still open at the end of a template. */
function unclosedBlock(tokens: readonly TemplateToken[], lines: readonly number[]): TemplateFault {
  const open: { readonly word: string; readonly line: number }[] = []
  tokens.forEach(({ type }, index) => {
    const word = tokens[index + 1]?.value ?? ""
    if (type !== "OpenStatement") return
    if (word.startsWith("end") && open.at(-1)?.word === word.slice(3)) open.pop()
    else if (BLOCKS.has(word) && !isAssignment(tokens, index, word)) open.push({ word, line: lines[index] ?? 1 })
  })
  const last = open.at(-1)
  if (last === undefined) return templateFault(lines.at(-1) ?? 1, "can't be parsed: it ends too early")
  return templateFault(last.line, `can't be parsed: '${last.word}' is not closed with 'end${last.word}'`)
}

/** Returns whether a `set` assigns a value, and so needs no `endset`. */
function isAssignment(tokens: readonly TemplateToken[], from: number, word: string): boolean {
  if (word !== "set") return false
  const end = tokens.findIndex(({ type }, index) => index > from && type === "CloseStatement")
  return tokens.slice(from, end === -1 ? tokens.length : end).some(({ type }) => type === "Equals")
}
