/** A node of a parsed template. Only its type is known. */
export interface SyntaxNode {
  readonly type: string
}

/** The properties that contain nodes, in the order of the source. Types that are not listed are leaves. */
const CHILDREN: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    Program: ["body"],
    If: ["test", "body", "alternate"],
    For: ["loopvar", "iterable", "body", "defaultBlock"],
    Set: ["assignee", "value", "body"],
    Macro: ["name", "args", "body"],
    CallStatement: ["callerArgs", "call", "body"],
    FilterStatement: ["filter", "body"],
    With: ["targets", "values", "body"],
    Scope: ["body"],
    MemberExpression: ["object", "property"],
    CallExpression: ["callee", "args"],
    BinaryExpression: ["left", "right"],
    FilterExpression: ["operand", "filter"],
    TestExpression: ["operand", "test", "args"],
    SelectExpression: ["lhs", "test"],
    Ternary: ["trueExpr", "condition", "falseExpr"],
    UnaryExpression: ["argument"],
    SliceExpression: ["start", "stop", "step"],
    KeywordArgumentExpression: ["key", "value"],
    SpreadExpression: ["argument"],
    KeywordSpreadExpression: ["argument"],
    ArrayLiteral: ["value"],
    TupleLiteral: ["value"],
    ObjectLiteral: ["value"],
  }),
)

/** Returns the children of a node in the order of the source. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return (CHILDREN.get(node.type) ?? []).flatMap((property) => nodesIn(propertyOf(node, property)))
}

/** Returns a property of a node of any type. */
export function propertyOf(node: SyntaxNode, property: string): unknown {
  return (node as SyntaxNode & Readonly<Record<string, unknown>>)[property]
}

/** Returns the name of an identifier; undefined for any other node. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== "Identifier") return undefined
  const value = propertyOf(node, "value")
  return typeof value === "string" ? value : undefined
}

function nodesIn(value: unknown): readonly SyntaxNode[] {
  if (Array.isArray(value)) return value.filter(isNode)
  if (value instanceof Map) return [...value].flat().filter(isNode)
  return isNode(value) ? [value] : []
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
}
