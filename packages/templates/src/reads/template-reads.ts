import { jinjaGlobals } from "../engine/jinja-globals.ts"
import { JINJA_FUNCTIONS } from "../syntax/engine-gaps.ts"
import { BLOCK_NAMES, labelsOf, setNames, writtenPath } from "../syntax/node-names.ts"
import { askedOperand } from "../syntax/node-roles.ts"
import type { ParsedTemplate } from "../syntax/parse-template.ts"
import { type SyntaxNode, childrenOf, nameOf, propertyOf } from "../syntax/syntax-node.ts"

/** A value that a template reads, as far as its path is literal. */
export interface TemplateRead {
  /** `["item", "question"]` for `{{ item.question }}`. */
  readonly path: readonly string[]
  /** The line of the first read. */
  readonly line: number
  /** Whether the template tests if this path, or a path above it, exists. */
  readonly isOptional: boolean
}

interface TemplateReads {
  /** The reads of names that the template does not set itself, in the order of the source. */
  readonly outer: readonly TemplateRead[]
  /** The paths of all names, including those that the template sets. */
  readonly paths: readonly (readonly string[])[]
}

/** Finds the values that a template reads. */
export function templateReads({ program, lines }: ParsedTemplate): TemplateReads {
  const reads = new Map<string, { readonly path: readonly string[]; readonly line: number }>()
  const own = new Set([...BLOCK_NAMES, ...Object.keys(jinjaGlobals()), ...JINJA_FUNCTIONS])
  const asked = new Set<string>()

  function visit(node: SyntaxNode): void {
    for (const name of setNames(node)) own.add(name)
    const about = askedOperand(node)
    const askedPath = about === undefined ? undefined : writtenPath(about)
    if (askedPath !== undefined) asked.add(keyOf(askedPath))
    const path = writtenPath(node)
    if (path !== undefined) read(path, node)
    else if (node.type === "CallExpression") visitCall(node)
    else visitAll(childrenOf(node), labelsOf(node))
  }

  function visitAll(nodes: readonly SyntaxNode[], labels: readonly unknown[]): void {
    const filters = new Set(nodes.filter((node) => node.type === "CallExpression" && labels.includes(calleeOf(node))))
    for (const node of nodes) {
      if (filters.has(node)) visitAll(childrenOf(node).slice(1), [])
      else if (!labels.includes(node)) visit(node)
    }
  }

  /** Visits a call. The object of a method is read as a whole. */
  function visitCall(node: SyntaxNode): void {
    const [callee, ...rest] = childrenOf(node)
    if (callee?.type === "MemberExpression") visit(propertyOf(callee, "object") as SyntaxNode)
    else if (callee !== undefined) visit(callee)
    visitAll(rest, [])
  }

  function read(path: readonly string[], node: SyntaxNode): void {
    const key = keyOf(path)
    if (!reads.has(key)) reads.set(key, { path, line: lines.get(node) ?? 1 })
  }

  visit(program)
  const all = [...reads.values()]
  return {
    outer: all
      .filter(({ path: [name = ""] }) => !own.has(name))
      .map((read) => ({
        ...read,
        isOptional: read.path.some((_, end) => asked.has(keyOf(read.path.slice(0, end + 1)))),
      })),
    paths: all.map(({ path }) => path),
  }
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path)
}

function calleeOf(node: SyntaxNode): unknown {
  return propertyOf(node, "callee")
}

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
