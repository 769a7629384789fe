import type { SyntaxNode } from "../../syntax/syntax-node.ts"
import type { PythonToken, PythonTokenType } from "./lexer.ts"
import { TemplateSyntaxFailure } from "./syntax-failure.ts"

/** The tokens of a template, read one after another. */
export interface TokenStream {
  readonly current: () => PythonToken
  readonly look: () => PythonToken
  readonly next: () => PythonToken
  /** Whether the current token has this type and value. */
  readonly is: (type: PythonTokenType, value?: string) => boolean
  /** Moves past the current token if it has this type and value. */
  readonly skip: (type: PythonTokenType, value?: string) => boolean
  /** @throws TemplateSyntaxFailure if the current token has another type or value */
  readonly expect: (type: PythonTokenType, value?: string) => PythonToken
  /** Creates a node at a line. */
  readonly node: <T extends SyntaxNode>(line: number, node: T) => T
  readonly lines: Map<SyntaxNode, number>
  /** Parses an expression. Its operands contain expressions again. */
  readonly expression: () => SyntaxNode
}

export function createTokenStream(
  tokens: readonly PythonToken[],
  parseExpression: (stream: TokenStream) => SyntaxNode,
): TokenStream {
  let at = 0
  const end: PythonToken = tokens.at(-1) ?? { type: "eof", value: "", line: 1 }
  const lines = new Map<SyntaxNode, number>()
  const current = () => tokens[at] ?? end
  const is = (type: PythonTokenType, value?: string) =>
    current().type === type && (value === undefined || current().value === value)
  const next = () => {
    const token = current()
    at++
    return token
  }
  const stream: TokenStream = {
    current,
    look: () => tokens[at + 1] ?? end,
    next,
    is,
    skip(type, value) {
      const found = is(type, value)
      if (found) at++
      return found
    },
    expect(type, value) {
      if (is(type, value)) return next()
      const expected = value === undefined ? EXPECTED[type] : `'${value}'`
      throw new TemplateSyntaxFailure(`Expected ${expected}, got ${describeToken(current())}`, current().line)
    },
    node(line, node) {
      lines.set(node, line)
      return node
    },
    lines,
    expression: () => parseExpression(stream),
  }
  return stream
}

const EXPECTED: Readonly<Record<PythonTokenType, string>> = {
  data: "a text",
  begin: "a tag",
  end: "the end of the tag",
  name: "a name",
  integer: "a number",
  float: "a number",
  string: "a text",
  operator: "an operator",
  eof: "the end of the template",
}

export function describeToken({ type, value }: PythonToken): string {
  if (type === "eof") return "the end of the template"
  if (type === "end") return "the end of the tag"
  if (type === "data" || type === "string") return "a text"
  return `'${value}'`
}
