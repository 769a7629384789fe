import { nearestName } from "../faults/nearest-name.ts"
import { type TemplateFault, templateFault } from "../faults/template-fault.ts"
import { jinjaNames } from "./engine-gaps.ts"
import type { ParsedTemplate } from "./parse-template.ts"
import { childrenOf, nameOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

interface Visit {
  readonly node: SyntaxNode
  /** The line of the nearest node around it that has one. */
  readonly line: number
  /** Whether it runs for all values, because it is not in a branch. */
  readonly isAlways: boolean
}

/** Nodes whose children may not run. */
const BRANCHES = new Set(["If", "For", "Ternary", "Macro", "CallStatement", "BinaryExpression"])

/**
 * Returns the first filter or test that Jinja does not have, as Jinja does when it compiles a template, or that always runs and that the engine here
 * lacks; undefined if there is none.
 */
export function unknownName({ program, lines }: ParsedTemplate): TemplateFault | undefined {
  // A list instead of recursion, because templates may be nested deeply.
  const left: Visit[] = [{ node: program, line: 1, isAlways: true }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node } = next
    const line = lines.get(node) ?? next.line
    const fault = faultOf({ ...next, line })
    if (fault !== undefined) return fault
    const isAlways = next.isAlways && !BRANCHES.has(node.type)
    for (const child of childrenOf(node).toReversed()) left.push({ node: child, line, isAlways })
  }
  return undefined
}

function faultOf({ node, line, isAlways }: Visit): TemplateFault | undefined {
  const isFilter = node.type === "FilterExpression" || node.type === "FilterStatement"
  if (!isFilter && node.type !== "TestExpression") return undefined
  const used = propertyOf(node, isFilter ? "filter" : "test")
  const name = nameOf(used) ?? nameOf(calleeOf(used))
  if (name === undefined) return undefined
  const [kind, known] = isFilter ? (["filter", jinjaNames.filters] as const) : (["test", jinjaNames.tests] as const)
  if (!known.has(name)) {
    const near = nearestName(name, [...known])
    const meant = near === undefined ? "" : `; did you mean '${near}'?`
    return templateFault(line, `has the ${kind} '${name}', which Jinja does not know${meant}`)
  }
  const lacked = isFilter ? jinjaNames.lackedFilters : jinjaNames.lackedTests
  return isAlways && lacked.has(name) ? templateFault(line, `has the ${kind} '${name}'`, true) : undefined
}

function calleeOf(node: unknown): unknown {
  return typeof node === "object" && node !== null && "callee" in node ? node.callee : undefined
}
