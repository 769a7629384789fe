import { nameOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

/** Returns the name of the filter that a node applies, with or without arguments; undefined if it applies none. */
export function filterName(node: SyntaxNode): string | undefined {
  const filter = propertyOf(node, "filter")
  return nameOf(filter) ?? (isCall(filter) ? nameOf(propertyOf(filter, "callee")) : undefined)
}

function isCall(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "callee" in value
}

/** Returns the children of a node that name something other than a value, such as a filter or a property. */
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

/** Names that only blocks define. */
export const BLOCK_NAMES: readonly string[] = ["loop", "caller", "varargs", "kwargs"]

/** Returns the names that a statement itself sets, without those set in its body. */
export function setNames(node: SyntaxNode): readonly string[] {
  switch (node.type) {
    case "Set":
      return namesIn(propertyOf(node, "assignee"))
    case "For":
      return namesIn(propertyOf(node, "loopvar"))
    case "Macro":
      return [...namesIn(propertyOf(node, "name")), ...namesIn(propertyOf(node, "args"))]
    case "CallStatement":
      return namesIn(propertyOf(node, "callerArgs"))
    case "With":
      return namesIn(propertyOf(node, "targets"))
    default:
      return []
  }
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  const name = nameOf(value)
  if (name !== undefined) return [name]
  if (typeof value !== "object" || value === null) return []
  if ("key" in value) return namesIn(value.key)
  return "value" in value ? namesIn(value.value) : []
}

/** Returns the literal path of a node: `["a", "b"]` for `a.b` and for `a["b"]`; undefined if a part of it is computed. */
export function writtenPath(node: SyntaxNode): readonly string[] | undefined {
  const name = nameOf(node)
  if (name !== undefined) return [name]
  if (node.type !== "MemberExpression") return undefined
  const above = writtenPath(propertyOf(node, "object") as SyntaxNode)
  const key = writtenKey(node)
  return above === undefined || key === undefined ? undefined : [...above, key]
}

/** Returns the literal property of a member expression; undefined if it is computed, or an index of a list. */
export function writtenKey(node: SyntaxNode): string | undefined {
  const property = propertyOf(node, "property") as SyntaxNode
  if (propertyOf(node, "computed") !== true) return nameOf(property)
  return property.type === "StringLiteral" ? String(propertyOf(property, "value")) : undefined
}
