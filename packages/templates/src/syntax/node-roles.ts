import { filterName } from "./node-names.ts"
import { childrenOf, nameOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

/** How the value of a node is used, if the use decides which values are allowed. */
export type NodeRole = "asked" | "called" | "added" | "joined" | "iterated"

/** Returns the roles of the nodes of a template that have one. */
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

/** Returns the operands that the engine joins to one text. */
function addedOperands(node: SyntaxNode): readonly SyntaxNode[] {
  const operator = propertyOf(node, "operator")
  const isText =
    node.type === "BinaryExpression" && typeof operator === "object" && operator !== null && "value" in operator
  return isText && operator.value === "~" ? childrenOf(node) : []
}

/** Tests that accept an undefined value, for which everything else is an error. */
const ASKING_TESTS = new Set(
  "defined undefined none boolean callable false float integer mapping number sequence string true".split(" "),
)

/** Returns the operand that a node tests for existence (`x is defined`, `x | default(1)`); undefined for other nodes. */
export function askedOperand(node: SyntaxNode): SyntaxNode | undefined {
  const test = node.type === "TestExpression" ? nameOf(propertyOf(node, "test")) : undefined
  const asks = test === undefined ? filterName(node) === "default" : ASKING_TESTS.has(test)
  return asks ? (propertyOf(node, "operand") as SyntaxNode | undefined) : undefined
}
