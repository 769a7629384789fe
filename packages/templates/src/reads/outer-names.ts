import { BLOCK_NAMES } from "../syntax/node-names.ts"
import { askedOperand } from "../syntax/node-roles.ts"
import { type SyntaxNode, childrenOf, nameOf } from "../syntax/syntax-node.ts"
import { findOuterReads } from "./outer-reads.ts"

/** A name that a template reads from its values. */
export interface OuterName {
  readonly name: string
  /** The line of the first read. */
  readonly line: number
  /** Whether the template tests anywhere if the name exists, or may have set it before each read. */
  readonly isOptional: boolean
}

/** Returns the names that a template can read from its values, in the order of their first read. It may set them as well. */
export function outerNames(program: SyntaxNode, lines: ReadonlyMap<SyntaxNode, number>): readonly OuterName[] {
  const reads = [...findOuterReads(program, BLOCK_NAMES)].map(([node, read]) => ({
    name: nameOf(node) ?? "",
    line: lines.get(node) ?? 1,
    ...read,
  }))
  const asked = new Set<string>()
  addAskedNames(program, asked)
  return [...Map.groupBy(reads, ({ name }) => name)].map(([name, own]) => ({
    name,
    line: Math.min(...own.map(({ line }) => line)),
    isOptional: asked.has(name) || own.every(({ isMaybeOwn }) => isMaybeOwn),
  }))
}

/** Adds the names that a template tests for existence. */
function addAskedNames(node: SyntaxNode, asked: Set<string>): void {
  const about = nameOf(askedOperand(node))
  if (about !== undefined) asked.add(about)
  for (const child of childrenOf(node)) addAskedNames(child, asked)
}
