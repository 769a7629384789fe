import type { SyntaxNode } from "../../syntax/syntax-node.ts"
import { TemplateSyntaxFailure } from "./syntax-failure.ts"
import { describeToken, type TokenStream } from "./token-stream.ts"

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null],
])

/** Parses a literal, a name, or an expression in brackets. */
export function parsePrimary(stream: TokenStream): SyntaxNode {
  const { type, value, line } = stream.current()
  if (type === "string") return parseText(stream)
  if (stream.is("operator", "(")) return parseBrackets(stream)
  if (stream.is("operator", "[")) return parseList(stream)
  if (stream.is("operator", "{")) return parseDictionary(stream)
  if (type !== "name" && type !== "integer" && type !== "float") {
    throw new TemplateSyntaxFailure(`Unexpected ${describeToken(stream.current())}`, line)
  }
  stream.next()
  const digits = value.replaceAll("_", "")
  if (type === "integer") return stream.node(line, { type: "IntegerLiteral", value: BigInt(digits) })
  if (type === "float") return stream.node(line, { type: "FloatLiteral", value: Number(digits) })
  const constant = CONSTANTS.get(value)
  if (constant !== undefined) return stream.node(line, { type: "Constant", value: constant })
  return stream.node(line, { type: "Identifier", value })
}

/** Parses a text. Texts that follow one another are one. */
function parseText(stream: TokenStream): SyntaxNode {
  const { line } = stream.current()
  let value = ""
  while (stream.is("string")) value += stream.next().value
  return stream.node(line, { type: "StringLiteral", value })
}

function parseBrackets(stream: TokenStream): SyntaxNode {
  const { line } = stream.next()
  const node = stream.is("operator", ")")
    ? stream.node(line, { type: "TupleLiteral", value: [] })
    : parseTuple(stream, stream.expression)
  stream.expect("operator", ")")
  return node
}

/** Parses an expression, or a tuple if commas follow. A comma may end it. */
export function parseTuple(stream: TokenStream, parse: () => SyntaxNode): SyntaxNode {
  const { line } = stream.current()
  const first = parse()
  if (!stream.is("operator", ",")) return first
  const value = [first]
  while (stream.skip("operator", ",")) {
    if (stream.is("end") || stream.is("operator", ")") || stream.is("operator", "=") || stream.is("name", "in")) break
    value.push(parse())
  }
  return stream.node(line, { type: "TupleLiteral", value })
}

function parseList(stream: TokenStream): SyntaxNode {
  const { line } = stream.next()
  const value: SyntaxNode[] = []
  while (!stream.is("operator", "]")) {
    if (value.length > 0) stream.expect("operator", ",")
    if (stream.is("operator", "]")) break
    value.push(stream.expression())
  }
  stream.next()
  return stream.node(line, { type: "ArrayLiteral", value })
}

function parseDictionary(stream: TokenStream): SyntaxNode {
  const { line } = stream.next()
  const value = new Map<SyntaxNode, SyntaxNode>()
  while (!stream.is("operator", "}")) {
    if (value.size > 0) stream.expect("operator", ",")
    if (stream.is("operator", "}")) break
    const key = stream.expression()
    stream.expect("operator", ":")
    value.set(key, stream.expression())
  }
  stream.next()
  return stream.node(line, { type: "ObjectLiteral", value })
}

/** Parses the members, subscripts and calls behind an operand. */
export function parsePostfix(stream: TokenStream, operand: SyntaxNode): SyntaxNode {
  let node = operand
  for (;;) {
    const { line } = stream.current()
    if (stream.skip("operator", ".")) node = parseMember(stream, node, line)
    else if (stream.skip("operator", "[")) node = parseSubscript(stream, node, line)
    else if (stream.is("operator", "(")) {
      node = stream.node(line, { type: "CallExpression", callee: node, args: parseCallArguments(stream) })
    } else return node
  }
}

function parseMember(stream: TokenStream, object: SyntaxNode, line: number): SyntaxNode {
  const { type, value } = stream.current()
  if (type === "integer") {
    stream.next()
    const property = stream.node(line, { type: "IntegerLiteral", value: BigInt(value) })
    return stream.node(line, { type: "MemberExpression", object, property, computed: true })
  }
  const property = stream.node(line, { type: "Identifier", value: stream.expect("name").value })
  return stream.node(line, { type: "MemberExpression", object, property, computed: false })
}

function parseSubscript(stream: TokenStream, object: SyntaxNode, line: number): SyntaxNode {
  const parts = [parseSlice(stream)]
  while (stream.skip("operator", ",")) parts.push(parseSlice(stream))
  stream.expect("operator", "]")
  const property = parts.length === 1 ? parts[0] : stream.node(line, { type: "TupleLiteral", value: parts })
  return stream.node(line, { type: "MemberExpression", object, property, computed: true })
}

function parseSlice(stream: TokenStream): SyntaxNode {
  const { line } = stream.current()
  const isEnd = () => stream.is("operator", ":") || stream.is("operator", "]") || stream.is("operator", ",")
  const part = () => (isEnd() ? undefined : stream.expression())
  const start = part()
  if (!stream.is("operator", ":")) {
    return start ?? parsePrimary(stream)
  }
  stream.next()
  const stop = part()
  const step = stream.skip("operator", ":") ? part() : undefined
  return stream.node(line, { type: "SliceExpression", start, stop, step })
}

/** Parses arguments in brackets: positional ones, then `*list`, `name=value` and `**dictionary`. */
export function parseCallArguments(stream: TokenStream): readonly SyntaxNode[] {
  const { line } = stream.expect("operator", "(")
  const args: SyntaxNode[] = []
  const has = (type: string) => args.some((node) => node.type === type)
  while (!stream.is("operator", ")")) {
    if (args.length > 0) {
      stream.expect("operator", ",")
      if (stream.is("operator", ")")) break
    }
    const argument = parseArgument(stream)
    const isPositional = !["KeywordArgumentExpression", "SpreadExpression", "KeywordSpreadExpression"].includes(
      argument.type,
    )
    const isLate =
      has("KeywordSpreadExpression") ||
      (argument.type === "SpreadExpression" && has("SpreadExpression")) ||
      (isPositional && (has("SpreadExpression") || has("KeywordArgumentExpression")))
    if (isLate) throw new TemplateSyntaxFailure("The arguments of a call are in a wrong order", line)
    args.push(argument)
  }
  stream.next()
  return args
}

function parseArgument(stream: TokenStream): SyntaxNode {
  const { line, type, value } = stream.current()
  if (stream.skip("operator", "**")) {
    return stream.node(line, { type: "KeywordSpreadExpression", argument: stream.expression() })
  }
  if (stream.skip("operator", "*")) {
    return stream.node(line, { type: "SpreadExpression", argument: stream.expression() })
  }
  const following = stream.look()
  if (type !== "name" || following.type !== "operator" || following.value !== "=") return stream.expression()
  stream.next()
  stream.next()
  const key = stream.node(line, { type: "Identifier", value })
  return stream.node(line, { type: "KeywordArgumentExpression", key, value: stream.expression() })
}
