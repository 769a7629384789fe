import { labelsOf, setNames } from "../syntax/node-names.ts"
import { type SyntaxNode, childrenOf, nameOf, propertyOf } from "../syntax/syntax-node.ts"

/** How a name that a template reads is defined at this point. */
interface OuterRead {
  /** Whether the template may have set the name itself before, for example in a branch. */
  readonly isMaybeOwn: boolean
}

/** The names that a template has set when it reaches a point. */
interface SetSoFar {
  /** The names that were set before the scope or branch of this point. */
  readonly before: SetSoFar | undefined
  /** Names that are set on every way to this point. */
  readonly always: Set<string>
  /** Names that are set on at least one way to this point. */
  readonly maybe: Set<string>
  /** Bodies of macros. They run later, so they see all names of the scope that defines them. */
  readonly later: (() => void)[]
}

/** Names that only the body of a macro or of a `call` can read. */
const MACRO_NAMES: readonly string[] = ["caller", "varargs", "kwargs"]

/**
 * Finds the identifiers that can read a value from outside the template: those of names that the template has not set on
 * every way to them. As in Jinja, a loop, a macro and a `call` have a scope of their own, and an `if` has none.
 * @param known the names that are never read from outside
 */
export function findOuterReads(program: SyntaxNode, known: Iterable<string>): ReadonlyMap<SyntaxNode, OuterRead> {
  const reads: Reads = { found: new Map(), labels: new Set() }
  visitScope(reads, [program], undefined, [...known])
  return reads.found
}

/** The reads that were found so far. */
interface Reads {
  readonly found: Map<SyntaxNode, OuterRead>
  /** Nodes that only name something, such as a keyword of a call. */
  readonly labels: Set<unknown>
}

function visitAll(reads: Reads, nodes: readonly SyntaxNode[], names: SetSoFar): void {
  for (const node of nodes) if (!reads.labels.has(node)) visit(reads, node, names)
}

function visitScope(
  reads: Reads,
  nodes: readonly SyntaxNode[],
  outside: SetSoFar | undefined,
  own: readonly string[],
): void {
  const inside = after(outside, [])
  set(inside, own)
  visitAll(reads, nodes, inside)
  for (const body of inside.later) body()
}

function visit(reads: Reads, node: SyntaxNode, names: SetSoFar): void {
  for (const label of labelsOf(node)) reads.labels.add(label)
  const name = nameOf(node)
  if (name !== undefined && !isSet(names, "always", name)) {
    reads.found.set(node, { isMaybeOwn: isSet(names, "maybe", name) })
  }
  switch (node.type) {
    case "Set":
      visitSet(reads, node, names)
      break
    case "If":
      visitIf(reads, node, names)
      break
    case "For":
      visitFor(reads, node, names)
      break
    case "Macro": {
      set(names, setNames({ ...node, args: [] } as SyntaxNode))
      const own = [...setNames(node), ...MACRO_NAMES]
      names.later.push(() => visitScope(reads, [...defaultsIn(node, "args"), ...nodesOf(node, "body")], names, own))
      break
    }
    case "CallStatement":
      visitAll(reads, nodesOf(node, "call"), names)
      visitScope(reads, [...defaultsIn(node, "callerArgs"), ...nodesOf(node, "body")], names, setNames(node))
      break
    case "With":
      visitAll(reads, nodesOf(node, "values"), names)
      visitScope(reads, nodesOf(node, "body"), names, setNames(node))
      break
    case "Scope":
      visitScope(reads, nodesOf(node, "body"), names, [])
      break
    case "FilterStatement":
      visitAll(reads, nodesOf(node, "filter"), names)
      visitScope(reads, nodesOf(node, "body"), names, [])
      break
    default:
      visitAll(reads, childrenOf(node), names)
  }
}

function visitSet(reads: Reads, node: SyntaxNode, names: SetSoFar): void {
  visitAll(reads, nodesOf(node, "value"), names)
  visitScope(reads, nodesOf(node, "body"), names, [])
  const [assignee] = nodesOf(node, "assignee")
  if (assignee?.type === "MemberExpression") visit(reads, assignee, names)
  else set(names, setNames(node))
}

function visitIf(reads: Reads, node: SyntaxNode, names: SetSoFar): void {
  visitAll(reads, nodesOf(node, "test"), names)
  const then = after(names, names.later)
  const otherwise = after(names, names.later)
  visitAll(reads, nodesOf(node, "body"), then)
  visitAll(reads, nodesOf(node, "alternate"), otherwise)
  for (const name of then.always.intersection(otherwise.always)) names.always.add(name)
  for (const name of then.maybe.union(otherwise.maybe)) names.maybe.add(name)
}

function visitFor(reads: Reads, node: SyntaxNode, names: SetSoFar): void {
  const [iterable] = nodesOf(node, "iterable")
  const isFiltered = iterable?.type === "SelectExpression"
  if (iterable !== undefined) visitAll(reads, isFiltered ? nodesOf(iterable, "lhs") : [iterable], names)
  const own = setNames(node)
  if (isFiltered) visitScope(reads, nodesOf(iterable, "test"), names, own)
  visitScope(reads, nodesOf(node, "body"), names, [...own, "loop"])
  visitScope(reads, nodesOf(node, "defaultBlock"), names, [])
}

function after(before: SetSoFar | undefined, later: SetSoFar["later"]): SetSoFar {
  return { before, always: new Set(), maybe: new Set(), later }
}

function isSet(names: SetSoFar | undefined, way: "always" | "maybe", name: string): boolean {
  return names !== undefined && (names[way].has(name) || isSet(names.before, way, name))
}

function set(names: SetSoFar, own: readonly string[]): void {
  for (const name of own) {
    names.always.add(name)
    names.maybe.add(name)
  }
}

function nodesOf(node: SyntaxNode, property: string): readonly SyntaxNode[] {
  const value = propertyOf(node, property)
  return Array.isArray(value) ? (value as SyntaxNode[]) : value == null ? [] : [value as SyntaxNode]
}

/** Returns the default values of parameters. */
function defaultsIn(node: SyntaxNode, property: string): readonly SyntaxNode[] {
  return nodesOf(node, property).filter(({ type }) => type === "KeywordArgumentExpression")
}
