import { nameOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

/** The name of the filter that a node applies, with or without arguments; undefined where it applies none. */
export function filterName(node: SyntaxNode): string | undefined {
  const filter = propertyOf(node, "filter")
  return nameOf(filter) ?? (isCall(filter) ? nameOf(propertyOf(filter, "callee")) : undefined)
}

export function isCall(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "callee" in value
}
