import type { SyntaxNode } from "../../syntax/syntax-node.ts"
import type { PythonValue } from "../values/python-value.ts"

/** The names that a part of a template can see. */
export interface Scope {
  readonly names: Map<string, PythonValue>
  readonly above: Scope | undefined
}

/** One run of a template. */
export interface TemplateRun {
  /** Renders nodes and returns their text. */
  readonly render: (nodes: readonly SyntaxNode[], scope: Scope) => string
  /** The first node that the last error left. */
  failure: { readonly error: unknown; readonly node: SyntaxNode } | undefined
}

export function scopeIn(above: Scope | undefined, names: Iterable<readonly [string, PythonValue]> = []): Scope {
  return { names: new Map(names), above }
}

/** Returns the value of a name, or undefined if no scope has it. */
export function lookUp(name: string, scope: Scope | undefined): PythonValue | undefined {
  for (let at = scope; at !== undefined; at = at.above) {
    const value = at.names.get(name)
    if (value !== undefined) return value
  }
  return undefined
}

/** A node whose properties are read without types. The parser of this folder has made it. */
export type ParsedNode = SyntaxNode & {
  readonly [property: string]: unknown
}

export function nodeIn(node: SyntaxNode, property: string): ParsedNode {
  return (node as ParsedNode)[property] as ParsedNode
}

export function nodesIn(node: SyntaxNode, property: string): readonly ParsedNode[] {
  return ((node as ParsedNode)[property] ?? []) as readonly ParsedNode[]
}

export function nameIn(node: SyntaxNode, property: string): string {
  return String((nodeIn(node, property) as { readonly value?: unknown }).value)
}
