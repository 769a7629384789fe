import type { SyntaxNode } from "../../syntax/syntax-node.ts"
import { TemplateSyntaxFailure } from "./syntax-failure.ts"
import { describeToken, type TokenStream } from "./token-stream.ts"
import { parsePostfix, parsePrimary, parseCallArguments } from "./parse-operand.ts"

/** Parses an expression, by the precedence of Jinja: or, and, not, comparisons, sums, `~`, products, powers, signs. */
export function parseExpression(stream: TokenStream): SyntaxNode {
  let node = parseOr(stream)
  while (stream.skip("name", "if")) {
    const { line } = stream.current()
    const condition = parseOr(stream)
    node = stream.skip("name", "else")
      ? stream.node(line, { type: "Ternary", trueExpr: node, condition, falseExpr: parseExpression(stream) })
      : stream.node(line, { type: "SelectExpression", lhs: node, test: condition })
  }
  return node
}

export function parseOr(stream: TokenStream): SyntaxNode {
  return leftAssociative(stream, parseAnd, ({ type, value }) => type === "name" && value === "or")
}

function parseAnd(stream: TokenStream): SyntaxNode {
  return leftAssociative(stream, parseNot, ({ type, value }) => type === "name" && value === "and")
}

type Parse = (stream: TokenStream) => SyntaxNode

function leftAssociative(
  stream: TokenStream,
  parse: Parse,
  isOperator: (token: ReturnType<TokenStream["current"]>) => boolean,
): SyntaxNode {
  let left = parse(stream)
  while (isOperator(stream.current())) {
    const { line, value } = stream.next()
    left = binary(stream, line, [value, left, parse(stream)])
  }
  return left
}

function binary(
  stream: TokenStream,
  line: number,
  [operator, left, right]: readonly [string, SyntaxNode, SyntaxNode],
): SyntaxNode {
  return stream.node(line, { type: "BinaryExpression", operator: { value: operator }, left, right })
}

function parseNot(stream: TokenStream): SyntaxNode {
  if (!stream.is("name", "not")) return parseComparison(stream)
  const { line } = stream.next()
  return stream.node(line, { type: "UnaryExpression", operator: { value: "not" }, argument: parseNot(stream) })
}

const COMPARISONS = new Set(["==", "!=", "<", "<=", ">", ">="])

/** Parses comparisons. `a < b < c` means `a < b and b < c`. */
function parseComparison(stream: TokenStream): SyntaxNode {
  let last = parseSum(stream)
  let all: SyntaxNode | undefined
  for (let operator = comparison(stream); operator !== undefined; operator = comparison(stream)) {
    const { line } = stream.current()
    const right = parseSum(stream)
    const one = binary(stream, line, [operator, last, right])
    all = all === undefined ? one : binary(stream, line, ["and", all, one])
    last = right
  }
  return all ?? last
}

function comparison(stream: TokenStream): string | undefined {
  const { type, value } = stream.current()
  if (type === "operator" && COMPARISONS.has(value)) return stream.next().value
  if (stream.skip("name", "in")) return "in"
  const following = stream.look()
  if (!stream.is("name", "not") || following.type !== "name" || following.value !== "in") return undefined
  stream.next()
  stream.next()
  return "not in"
}

const isOneOf =
  (...operators: readonly string[]) =>
  ({ type, value }: ReturnType<TokenStream["current"]>) =>
    type === "operator" && operators.includes(value)

function parseSum(stream: TokenStream): SyntaxNode {
  return leftAssociative(stream, parseJoined, isOneOf("+", "-"))
}

function parseJoined(stream: TokenStream): SyntaxNode {
  return leftAssociative(stream, parseProduct, isOneOf("~"))
}

function parseProduct(stream: TokenStream): SyntaxNode {
  return leftAssociative(stream, parsePower, isOneOf("*", "/", "//", "%"))
}

function parsePower(stream: TokenStream): SyntaxNode {
  return leftAssociative(stream, (inner) => parseSigned(inner, true), isOneOf("**"))
}

function parseSigned(stream: TokenStream, withFilters: boolean): SyntaxNode {
  const isSigned = stream.is("operator", "-") || stream.is("operator", "+")
  let node: SyntaxNode
  if (isSigned) {
    const { line, value } = stream.next()
    const argument = parseSigned(stream, false)
    node = stream.node(line, { type: "UnaryExpression", operator: { value }, argument })
  } else node = parsePrimary(stream)
  node = parsePostfix(stream, node)
  return withFilters ? parseFilters(stream, node) : node
}

/** Parses the filters, tests and calls behind an operand. */
function parseFilters(stream: TokenStream, operand: SyntaxNode): SyntaxNode {
  let node = operand
  for (;;) {
    if (stream.skip("operator", "|")) node = parseFilter(stream, node)
    else if (stream.is("name", "is")) node = parseTest(stream, node)
    else if (stream.is("operator", "(")) node = parsePostfix(stream, node)
    else return node
  }
}

/** Parses a filter behind its `|`. */
export function parseFilter(stream: TokenStream, operand: SyntaxNode): SyntaxNode {
  const { line } = stream.current()
  const name = dottedName(stream)
  const filter = stream.is("operator", "(")
    ? stream.node(line, { type: "CallExpression", callee: name, args: parseCallArguments(stream) })
    : name
  return stream.node(line, { type: "FilterExpression", operand, filter })
}

function dottedName(stream: TokenStream): SyntaxNode {
  const { line, value } = stream.expect("name")
  let name = value
  while (stream.skip("operator", ".")) name += `.${stream.expect("name").value}`
  return stream.node(line, { type: "Identifier", value: name })
}

const ARGUMENT_STARTS = new Set(["name", "string", "integer", "float"])

function parseTest(stream: TokenStream, operand: SyntaxNode): SyntaxNode {
  const { line } = stream.next()
  const negate = stream.skip("name", "not")
  const test = dottedName(stream)
  return stream.node(line, { type: "TestExpression", operand, negate, test, args: testArguments(stream) })
}

/** Parses the arguments of a test: in brackets, or one operand, as in `is divisibleby 3`. */
function testArguments(stream: TokenStream): readonly SyntaxNode[] {
  const { type, value, line } = stream.current()
  if (stream.is("operator", "(")) return parseCallArguments(stream)
  const isOperand = ARGUMENT_STARTS.has(type) || (type === "operator" && (value === "[" || value === "{"))
  if (!isOperand || (type === "name" && ["else", "or", "and"].includes(value))) return []
  if (type === "name" && value === "is") {
    throw new TemplateSyntaxFailure(`Tests can't be chained: ${describeToken({ type, value, line })}`, line)
  }
  return [parsePostfix(stream, parsePrimary(stream))]
}
