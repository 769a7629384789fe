import { jinjaGlobals } from "../engine/jinja-globals.ts"
import { JINJA_FUNCTIONS } from "../syntax/engine-gaps.ts"
import { BLOCK_NAMES, labelsOf, writtenPath } from "../syntax/node-names.ts"
import { askedOperand } from "../syntax/node-roles.ts"
import type { ParsedTemplate } from "../syntax/parse-template.ts"
import { type SyntaxNode, childrenOf, propertyOf } from "../syntax/syntax-node.ts"
import { findOuterReads } from "./outer-reads.ts"

/** A value that a template reads, as far as its path is literal. */
export interface TemplateRead {
  /** `["item", "question"]` for `{{ item.question }}`. */
  readonly path: readonly string[]
  /** The line of the first read. */
  readonly line: number
  /** Whether the template tests if this path or a path above it exists, or may have set the name itself before. */
  readonly isOptional: boolean
}

interface TemplateReads {
  /** The reads of names that the template has not certainly set itself before, in the order of the source. */
  readonly outer: readonly TemplateRead[]
  /** The paths of all names, including those that the template sets. */
  readonly paths: readonly (readonly string[])[]
}

/** The reads of one path. */
interface PathReads {
  readonly path: readonly string[]
  /** The first read, or the first one of a value from outside. */
  line: number
  isOuter: boolean
  /** Whether the template may have set the name itself before each of these reads. */
  isMaybeOwn: boolean
}

/** Finds the values that a template reads. */
export function templateReads({ program, lines }: ParsedTemplate): TemplateReads {
  const reads = new Map<string, PathReads>()
  const outerReads = findOuterReads(program, [...BLOCK_NAMES, ...Object.keys(jinjaGlobals()), ...JINJA_FUNCTIONS])
  const asked = new Set<string>()

  function visit(node: SyntaxNode): void {
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
    const line = lines.get(node) ?? 1
    const outer = outerReads.get(firstName(node))
    const known = reads.get(key) ?? { path, line, isOuter: false, isMaybeOwn: true }
    reads.set(key, known)
    if (outer === undefined) return
    if (!known.isOuter) known.line = line
    known.isOuter = true
    known.isMaybeOwn &&= outer.isMaybeOwn
  }

  visit(program)
  const all = [...reads.values()]
  return {
    outer: all
      .filter(({ isOuter }) => isOuter)
      .map(({ path, line, isMaybeOwn }) => ({
        path,
        line,
        isOptional: isMaybeOwn || path.some((_, end) => asked.has(keyOf(path.slice(0, end + 1)))),
      })),
    paths: all.map(({ path }) => path),
  }
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path)
}

/** Returns the identifier that a written path begins with. */
function firstName(node: SyntaxNode): SyntaxNode {
  const object = node.type === "MemberExpression" ? propertyOf(node, "object") : undefined
  return object === undefined ? node : firstName(object as SyntaxNode)
}

function calleeOf(node: SyntaxNode): unknown {
  return propertyOf(node, "callee")
}
