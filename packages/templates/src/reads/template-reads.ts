import { jinjaGlobals } from "../engine/jinja-globals.ts"
import { JINJA_FUNCTIONS } from "../syntax/engine-gaps.ts"
import { BLOCK_NAMES, labelsOf, setNames, writtenPath } from "../syntax/node-names.ts"
import { askedOperand } from "../syntax/node-roles.ts"
import type { ParsedTemplate } from "../syntax/parse-template.ts"
import { childrenOf, propertyOf, type SyntaxNode } from "../syntax/syntax-node.ts"

/** A place in the values that a template reads from, as far as it is written out. */
export interface TemplateRead {
  /** `["item", "question"]` for `{{ item.question }}`. */
  readonly path: readonly string[]
  /** Where it is read first. */
  readonly line: number
  /** Whether the template asks for it, or for what is above it, before it is used. */
  readonly isOptional: boolean
}

interface TemplateReads {
  /** What it reads of names that it does not set itself anywhere, in the order in which they are met. */
  readonly outer: readonly TemplateRead[]
  /** The paths of all names, also of those that it sets. */
  readonly paths: readonly (readonly string[])[]
}

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

  /** What a method is called of is read whole. */
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
