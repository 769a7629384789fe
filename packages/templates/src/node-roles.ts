import { askedOperand } from "./asked-operand.ts"
import { filterName } from "./filter-name.ts"
import { childrenOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

/** What becomes of what a node gives, where that decides what it may give. */
export type NodeRole = "asked" | "called" | "added" | "joined" | "iterated"

/** The roles of the nodes of a template that have one. */
export function nodeRoles(program: SyntaxNode): ReadonlyMap<SyntaxNode, NodeRole> {
  const roles = new Map<SyntaxNode, NodeRole>()

  function visit(node: SyntaxNode): void {
    const asked = askedOperand(node)
    if (asked !== undefined) roles.set(asked, "asked")
    if (node.type === "CallExpression") roles.set(propertyOf(node, "callee") as SyntaxNode, "called")
    if (filterName(node) === "join" && node.type === "FilterExpression") {
      roles.set(propertyOf(node, "operand") as SyntaxNode, "joined")
    }
    if (node.type === "For") {
      const iterable = propertyOf(node, "iterable") as SyntaxNode
      const source = iterable.type === "SelectExpression" ? (propertyOf(iterable, "lhs") as SyntaxNode) : iterable
      roles.set(source, "iterated")
    }
    const added = addedOperands(node)
    for (const operand of added) roles.set(operand, "added")
    for (const child of childrenOf(node)) visit(child)
  }

  visit(program)
  return roles
}

/** Operands that the engine makes one text of. */
function addedOperands(node: SyntaxNode): readonly SyntaxNode[] {
  const operator = propertyOf(node, "operator")
  const isText =
    node.type === "BinaryExpression" && typeof operator === "object" && operator !== null && "value" in operator
  return isText && operator.value === "~" ? childrenOf(node) : []
}
