import type { SyntaxNode } from "../../syntax/syntax-node.ts"
import { parseExpression, parseFilter, parseOr } from "./parse-expression.ts"
import { parseCallArguments, parsePrimary, parseTuple } from "./parse-operand.ts"
import { TemplateSyntaxFailure } from "./syntax-failure.ts"
import { describeToken, type TokenStream } from "./token-stream.ts"

type Nodes = readonly SyntaxNode[]

/** Parses text and tags up to the statement that ends with one of `ends`, or to the end of the template. */
export function parseBody(stream: TokenStream, opened: string | null, ...ends: readonly string[]): Nodes {
  const body: SyntaxNode[] = []
  const { line: begun } = stream.current()
  for (;;) {
    const { type, value, line } = stream.current()
    if (type === "eof") {
      if (opened === null) return body
      throw new TemplateSyntaxFailure(`'${opened}' is not closed with '${ends.at(-1)}'`, begun)
    }
    stream.next()
    if (type === "data") body.push(stream.node(line, { type: "StringLiteral", value }))
    else if (value === "{{") {
      body.push(parseTuple(stream, stream.expression))
      stream.expect("end")
    } else {
      const word = stream.current()
      if (word.type === "name" && ends.includes(word.value)) return body
      body.push(parseStatement(stream))
      stream.expect("end")
    }
  }
}

type Parse = (stream: TokenStream, line: number) => SyntaxNode

const STATEMENTS: ReadonlyMap<string, Parse> = new Map<string, Parse>([
  ["if", parseIf],
  ["for", parseFor],
  ["set", parseSet],
  ["macro", parseMacro],
  ["call", parseCall],
  ["filter", parseFilterStatement],
  ["with", parseWith],
  ["break", (stream, line) => stream.node(line, { type: "Break" })],
  ["continue", (stream, line) => stream.node(line, { type: "Continue" })],
  // `generation` is a tag of transformers around the text of the assistant. It changes no text.
  ["generation", (stream, line) => parseScope(stream, line, "generation")],
  ["block", (stream, line) => parseScope(stream, line, "block")],
])

/** Statements of Jinja that chat templates have no use for. */
const UNSUPPORTED = new Set(["autoescape"])

function parseStatement(stream: TokenStream): SyntaxNode {
  const { line, value } = stream.current()
  const parse = stream.is("name") ? STATEMENTS.get(value) : undefined
  if (parse === undefined) {
    const text = stream.is("name")
      ? `Unknown statement type: ${value}`
      : `Unexpected ${describeToken(stream.current())}`
    throw new TemplateSyntaxFailure(text, line, UNSUPPORTED.has(value))
  }
  stream.next()
  return parse(stream, line)
}

/** Parses the body of a statement with its closing tag. */
function bodyOf(stream: TokenStream, opened: string): Nodes {
  stream.expect("end")
  const body = parseBody(stream, opened, `end${opened}`)
  stream.next()
  return body
}

function parseIf(stream: TokenStream, line: number): SyntaxNode {
  const test = parseTuple(stream, () => parseOr(stream))
  stream.expect("end")
  const body = parseBody(stream, "if", "elif", "else", "endif")
  const { value, line: next } = stream.next()
  if (value === "elif") {
    return stream.node(line, { type: "If", test, body, alternate: [parseIf(stream, next)] })
  }
  const alternate = value === "else" ? bodyOf(stream, "if") : []
  return stream.node(line, { type: "If", test, body, alternate })
}

function parseFor(stream: TokenStream, line: number): SyntaxNode {
  const loopvar = checkTarget(
    parseTuple(stream, () => parsePrimary(stream)),
    line,
  )
  stream.expect("name", "in")
  const source = parseTuple(stream, () => parseOr(stream))
  const iterable = stream.skip("name", "if")
    ? stream.node(line, { type: "SelectExpression", lhs: source, test: parseExpression(stream) })
    : source
  const isRecursive = stream.skip("name", "recursive")
  stream.expect("end")
  const body = parseBody(stream, "for", "else", "endfor")
  const defaultBlock = stream.next().value === "else" ? bodyOf(stream, "for") : []
  const isFiltered = iterable !== source
  return stream.node(line, { type: "For", loopvar, iterable, isFiltered, isRecursive, body, defaultBlock })
}

/** Checks that a name, or a tuple of names, is assigned to. */
function checkTarget(target: SyntaxNode, line: number): SyntaxNode {
  const parts = target.type === "TupleLiteral" ? (target as SyntaxNode & { readonly value: Nodes }).value : undefined
  for (const part of parts ?? []) checkTarget(part, line)
  if (parts === undefined && target.type !== "Identifier") {
    throw new TemplateSyntaxFailure(`Only names can be assigned to, not a ${target.type}`, line)
  }
  return target
}

function parseSet(stream: TokenStream, line: number): SyntaxNode {
  const assignee = parseSetTarget(stream, line)
  if (stream.skip("operator", "=")) {
    const value = parseTuple(stream, stream.expression)
    return stream.node(line, { type: "Set", assignee, value, body: [] })
  }
  const body = stream.node(line, { type: "Scope", body: [] as Nodes })
  let value: SyntaxNode = body
  while (stream.skip("operator", "|")) value = parseFilter(stream, value)
  Object.assign(body, { body: bodyOf(stream, "set") })
  return stream.node(line, { type: "Set", assignee, value, body: [] })
}

function parseSetTarget(stream: TokenStream, line: number): SyntaxNode {
  const following = stream.look()
  if (!stream.is("name") || following.type !== "operator" || following.value !== ".") {
    return checkTarget(
      parseTuple(stream, () => parsePrimary(stream)),
      line,
    )
  }
  const object = stream.node(line, { type: "Identifier", value: stream.next().value })
  stream.next()
  const property = stream.node(line, { type: "Identifier", value: stream.expect("name").value })
  return stream.node(line, { type: "MemberExpression", object, property, computed: false })
}

function parseMacro(stream: TokenStream, line: number): SyntaxNode {
  const name = stream.node(line, { type: "Identifier", value: stream.expect("name").value })
  const args = parseParameters(stream)
  return stream.node(line, { type: "Macro", name, args, body: bodyOf(stream, "macro") })
}

/** Parses parameters: names, then names with default values. */
function parseParameters(stream: TokenStream): Nodes {
  const { line } = stream.current()
  const args = parseCallArguments(stream)
  if (args.every(({ type }) => type === "Identifier" || type === "KeywordArgumentExpression")) return args
  throw new TemplateSyntaxFailure("Parameters must be names", line)
}

function parseCall(stream: TokenStream, line: number): SyntaxNode {
  const callerArgs = stream.is("operator", "(") ? parseParameters(stream) : []
  const call = parseExpression(stream)
  if (call.type !== "CallExpression") throw new TemplateSyntaxFailure("Expected a call", line)
  return stream.node(line, { type: "CallStatement", callerArgs, call, body: bodyOf(stream, "call") })
}

function parseFilterStatement(stream: TokenStream, line: number): SyntaxNode {
  const scope = stream.node(line, { type: "Scope", body: [] as Nodes })
  let value = parseFilter(stream, scope)
  while (stream.skip("operator", "|")) value = parseFilter(stream, value)
  Object.assign(scope, { body: bodyOf(stream, "filter") })
  return value
}

function parseWith(stream: TokenStream, line: number): SyntaxNode {
  const targets: SyntaxNode[] = []
  const values: SyntaxNode[] = []
  while (!stream.is("end")) {
    if (targets.length > 0) stream.expect("operator", ",")
    targets.push(checkTarget(parsePrimary(stream), line))
    stream.expect("operator", "=")
    values.push(parseExpression(stream))
  }
  return stream.node(line, { type: "With", targets, values, body: bodyOf(stream, "with") })
}

function parseScope(stream: TokenStream, line: number, opened: string): SyntaxNode {
  while (!stream.is("end") && !stream.is("eof")) stream.next()
  return stream.node(line, { type: "Scope", body: bodyOf(stream, opened) })
}
