import { childrenOf, nameOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

/** A name that a template reads from what it is rendered with. */
export interface OuterName {
  readonly name: string
  /** Where it is read first. */
  readonly line: number
  /** Whether the template asks somewhere if it is there. */
  readonly isOptional: boolean
}

/** What only blocks give. */
const OF_BLOCKS = ["loop", "caller", "varargs", "kwargs"]
const ASKING_TESTS = new Set(["defined", "undefined", "none"])

/** The names that the template reads and does not set itself, in the order in which they are met. */
export function outerNames(program: SyntaxNode, lines: ReadonlyMap<SyntaxNode, number>): readonly OuterName[] {
  const read = new Map<string, number>()
  const set = new Set<string>(OF_BLOCKS)
  const asked = new Set<string>()
  const labels = new Set<unknown>()

  function visit(node: SyntaxNode): void {
    const own = nameOf(node)
    if (own !== undefined && !read.has(own)) read.set(own, lines.get(node) ?? 1)
    for (const name of askedIn(node)) asked.add(name)
    for (const name of setIn(node)) set.add(name)
    for (const label of labelsOf(node)) labels.add(label)
    for (const child of childrenOf(node)) if (!labels.has(child)) visit(child)
  }

  visit(program)
  return [...read]
    .filter(([name]) => !set.has(name))
    .map(([name, line]) => ({ name, line, isOptional: asked.has(name) }))
}

/** Nodes below that are names of something else than a value. */
function labelsOf(node: SyntaxNode): readonly unknown[] {
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

function askedIn(node: SyntaxNode): readonly string[] {
  const operand = nameOf(propertyOf(node, "operand"))
  if (operand === undefined) return []
  const word = nameOf(propertyOf(node, "test")) ?? filterName(propertyOf(node, "filter"))
  return word !== undefined && (ASKING_TESTS.has(word) || word === "default") ? [operand] : []
}

function setIn(node: SyntaxNode): readonly string[] {
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

function filterName(filter: unknown): string | undefined {
  return nameOf(filter) ?? (isCall(filter) ? nameOf(propertyOf(filter, "callee")) : undefined)
}

function isCall(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "callee" in value
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  const name = nameOf(value)
  if (name !== undefined) return [name]
  if (typeof value !== "object" || value === null) return []
  if ("key" in value) return namesIn(value.key)
  return "value" in value ? namesIn(value.value) : []
}
