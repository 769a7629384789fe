import { templateEngine, type TemplateWhitespace } from "../engine/template-engine.ts"
import { templateFault, type TemplateFault } from "../faults/template-fault.ts"
import { isEngineGap } from "./engine-gaps.ts"
import { nodeLines } from "./node-lines.ts"
import type { SyntaxNode } from "./syntax-node.ts"
import { type TemplateToken, tokenLines } from "./token-lines.ts"
import { unclosedBlock, unclosedTag } from "./unclosed.ts"

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
    return failed(lexicalFault(source, whitespace, messageOf(error)))
  }
  const lines = tokenLines(source, tokens)
  let furthest = 0
  try {
    const program = templateEngine.parse(watched(tokens, (index) => (furthest = Math.max(furthest, index))))
    return { template: { program, lines: nodeLines(program, tokens, lines) }, fault: null }
  } catch (error) {
    if (furthest >= tokens.length) return failed(unclosedTag(source) ?? unclosedBlock(tokens, lines))
    const message = messageOf(error)
    return failed(templateFault(lines[furthest] ?? 1, `can't be parsed: ${message}`, isEngineGap(message)))
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
    return messageOf(error)
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

function messageOf(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply"
  return error instanceof Error ? error.message.replace(/^Parser Error: /, "").replace(/\.$/, "") : String(error)
}
