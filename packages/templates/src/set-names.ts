import { nameOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

/** What only blocks give. */
export const BLOCK_NAMES: readonly string[] = ["loop", "caller", "varargs", "kwargs"]

/** The names that a statement sets, itself and not in its body. */
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
