import { filterName } from "./filter-name.ts"
import { nameOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

/** Tests that Jinja answers for what is not there, even where everything else about it is an error. */
const ASKING_TESTS = new Set(
  "defined undefined none boolean callable false float integer mapping number sequence string true".split(" "),
)

/** What a node asks about before it is used (`x is defined`, `x | default(1)`); undefined for other nodes. */
export function askedOperand(node: SyntaxNode): SyntaxNode | undefined {
  const test = node.type === "TestExpression" ? nameOf(propertyOf(node, "test")) : undefined
  const asks = test === undefined ? filterName(node) === "default" : ASKING_TESTS.has(test)
  return asks ? (propertyOf(node, "operand") as SyntaxNode | undefined) : undefined
}
