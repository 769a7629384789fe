import { nameOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

/** A node as it is written in a template, with `…` for what is computed. */
export function formatNode(node: SyntaxNode): string {
  const name = nameOf(node)
  if (name !== undefined) return name
  switch (node.type) {
    case "MemberExpression": {
      const object = formatNode(propertyOf(node, "object") as SyntaxNode)
      const property = formatNode(propertyOf(node, "property") as SyntaxNode)
      return propertyOf(node, "computed") === true ? `${object}[${property}]` : `${object}.${property}`
    }
    case "CallExpression":
      return `${formatNode(propertyOf(node, "callee") as SyntaxNode)}(…)`
    case "IntegerLiteral":
    case "StringLiteral":
      return JSON.stringify(propertyOf(node, "value"))
    default:
      return "…"
  }
}
