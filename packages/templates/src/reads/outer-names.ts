import { BLOCK_NAMES, labelsOf, setNames } from "../syntax/node-names.ts"
import { askedOperand } from "../syntax/node-roles.ts"
import { childrenOf, nameOf, type SyntaxNode } from "../syntax/syntax-node.ts"

/** A name that a template reads from its values. */
export interface OuterName {
  readonly name: string
  /** The line of the first read. */
  readonly line: number
  /** Whether the template tests anywhere if the name exists. */
  readonly isOptional: boolean
}

/** Returns the names that a template reads and does not set itself, in the order of their first read. */
export function outerNames(program: SyntaxNode, lines: ReadonlyMap<SyntaxNode, number>): readonly OuterName[] {
  const read = new Map<string, number>()
  const set = new Set<string>(BLOCK_NAMES)
  const asked = new Set<string>()
  const labels = new Set<unknown>()

  function visit(node: SyntaxNode): void {
    const own = nameOf(node)
    if (own !== undefined && !read.has(own)) read.set(own, lines.get(node) ?? 1)
    const about = nameOf(askedOperand(node))
    if (about !== undefined) asked.add(about)
    for (const name of setNames(node)) set.add(name)
    for (const label of labelsOf(node)) labels.add(label)
    for (const child of childrenOf(node)) if (!labels.has(child)) visit(child)
  }

  visit(program)
  return [...read]
    .filter(([name]) => !set.has(name))
    .map(([name, line]) => ({ name, line, isOptional: asked.has(name) }))
}
