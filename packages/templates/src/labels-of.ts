import { isCall } from "./filter-name.ts"
import { propertyOf, type SyntaxNode } from "./syntax-node.ts"

/** Nodes below that are names of something else than a value. */
export function labelsOf(node: SyntaxNode): readonly unknown[] {
  switch (node.type) {
    case "MemberExpression":
      return propertyOf(node, "computed") === true ? [] : [propertyOf(node, "property")]
    case "FilterExpression":
    case "FilterStatement": {
      const filter = propertyOf(node, "filter")
      return [isCall(filter) ? propertyOf(filter, "callee") : filter]
    }
    case "TestExpression":
      return [propertyOf(node, "test")]
    case "KeywordArgumentExpression":
      return [propertyOf(node, "key")]
    default:
      return []
  }
}
