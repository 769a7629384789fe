import type { TemplateToken } from "./token-lines.ts"
import { childrenOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

const LEAF_TOKENS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    Identifier: ["Identifier"],
    StringLiteral: ["StringLiteral", "Text"],
    IntegerLiteral: ["NumericLiteral"],
    FloatLiteral: ["NumericLiteral"],
    Comment: ["Comment"],
  }),
)

/**
 * Finds the line of each node. Nodes have no positions, but their leaves follow the order of the tokens: each leaf is the next
 * token of its kind, after the keywords of statements.
 */
export function nodeLines(
  program: SyntaxNode,
  tokens: readonly TemplateToken[],
  lines: readonly number[],
): ReadonlyMap<SyntaxNode, number> {
  const found = new Map<SyntaxNode, number>()
  let next = 0

  function numberNode(node: SyntaxNode): number {
    const kinds = LEAF_TOKENS.get(node.type)
    const line = kinds === undefined ? numberChildren(node) : numberLeaf(node, kinds)
    found.set(node, line)
    return line
  }

  function numberChildren(node: SyntaxNode): number {
    const [first, ...rest] = childrenOf(node)
    const line = first === undefined ? lineBefore() : numberNode(first)
    for (const child of rest) numberNode(child)
    return line
  }

  function numberLeaf(node: SyntaxNode, kinds: readonly string[]): number {
    const value = propertyOf(node, "value")
    const index = nextToken(kinds, value)
    if (index === undefined) return lineBefore()
    next = index + 1
    if (node.type === "StringLiteral") skipContinuations(String(value), tokens[index]?.value ?? "")
    return lines[index] ?? 1
  }

  /** Skips the other tokens of a node that consists of several adjacent strings. */
  function skipContinuations(whole: string, first: string): void {
    for (let text = first; text !== whole && tokens[next]?.type === "StringLiteral"; next++) {
      text += tokens[next]?.value ?? ""
    }
  }

  function nextToken(kinds: readonly string[], value: unknown): number | undefined {
    for (let at = next; at < tokens.length; at++) {
      const { type, value: text } = tokens[at] ?? { type: "", value: "" }
      if (kinds.includes(type) && (type !== "Identifier" || text === value)) return at
    }
    return undefined
  }

  function lineBefore(): number {
    return lines[Math.max(next - 1, 0)] ?? 1
  }

  numberNode(program)
  return found
}
