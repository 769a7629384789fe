import { filterName } from "../syntax/node-names.ts"
import { childrenOf, propertyOf, type SyntaxNode } from "../syntax/syntax-node.ts"

/** What an operation goes through: characters or entries (`shallow`), all depths (`deep`), or entries many times (`sorted`). */
export type RunCost = "shallow" | "deep" | "sorted"

const FILTER_COSTS: ReadonlyMap<string | undefined, RunCost> = new Map([
  ["tojson", "deep"],
  ["sort", "sorted"],
  ["dictsort", "sorted"],
])

/** Operations that go through their operands and results. */
const OPERATIONS = new Set(["FilterExpression", "FilterStatement", "CallExpression", "BinaryExpression"])

/** Returns the nodes whose value an operation goes through or produces. The size of these values takes steps. */
export function runCosts(program: SyntaxNode): ReadonlyMap<SyntaxNode, RunCost> {
  const costs = new Map<SyntaxNode, RunCost>()

  function visit(node: SyntaxNode): void {
    if (OPERATIONS.has(node.type) || isSlice(node)) {
      costs.set(node, "shallow")
      for (const operand of operandsOf(node)) costs.set(operand, FILTER_COSTS.get(filterName(node)) ?? "shallow")
    }
    for (const child of childrenOf(node)) visit(child)
  }

  visit(program)
  return costs
}

function operandsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const [first, ...rest] = childrenOf(node)
  if (first === undefined) return []
  // A method goes through its object.
  if (node.type === "CallExpression" && first.type === "MemberExpression") {
    return [propertyOf(first, "object") as SyntaxNode, ...rest]
  }
  return [first, ...rest]
}

function isSlice(node: SyntaxNode): boolean {
  const property = propertyOf(node, "property")
  return (
    node.type === "MemberExpression" &&
    typeof property === "object" &&
    property !== null &&
    "type" in property &&
    property.type === "SliceExpression"
  )
}
