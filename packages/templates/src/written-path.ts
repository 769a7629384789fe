import { nameOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

/** The path that a node spells: `["a", "b"]` for `a.b` and for `a["b"]`; undefined where a part of it is computed. */
export function writtenPath(node: SyntaxNode): readonly string[] | undefined {
  const name = nameOf(node)
  if (name !== undefined) return [name]
  if (node.type !== "MemberExpression") return undefined
  const above = writtenPath(propertyOf(node, "object") as SyntaxNode)
  const key = writtenKey(node)
  return above === undefined || key === undefined ? undefined : [...above, key]
}

/** The property that a member expression spells; undefined where it is computed, or a place in a list. */
export function writtenKey(node: SyntaxNode): string | undefined {
  const property = propertyOf(node, "property") as SyntaxNode
  if (propertyOf(node, "computed") !== true) return nameOf(property)
  return property.type === "StringLiteral" ? String(propertyOf(property, "value")) : undefined
}
