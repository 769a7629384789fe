import { engineValue, type EngineValue } from "../engine/template-engine.ts"
import { TemplateFailure } from "../faults/template-fault.ts"
import { type NodeRole } from "../syntax/node-roles.ts"
import { filterName } from "../syntax/node-names.ts"
import type { SyntaxNode } from "../syntax/syntax-node.ts"
import { missingRead, type MissingReadOptions } from "./missing-read.ts"
import { type RunCost, type StepBudget, createRunLimits } from "./run-limits.ts"
import type { Inspect } from "./run-program.ts"

interface StrictInspectOptions extends MissingReadOptions {
  readonly roles: ReadonlyMap<SyntaxNode, NodeRole>
  readonly costs: ReadonlyMap<SyntaxNode, RunCost>
  /** Default: a budget of its own. */
  readonly steps?: StepBudget | undefined
}

/**
 * Creates an inspection that ends a run when a template reads a missing value without testing for it first. Jinja's
 * `StrictUndefined` does so when the value is used. The run also ends if the engine would write a text such as `[object Map]`.
 */
export function createStrictInspect({ roles, costs, steps, ...options }: StrictInspectOptions): Inspect {
  const limits = createRunLimits(steps)
  return (result, inspected) => {
    const { node } = inspected
    const role = node === undefined ? undefined : roles.get(node)
    limits.check(result, node, role, node === undefined ? undefined : costs.get(node))
    if (node === undefined) return result
    switch (node.type) {
      case "Identifier":
      case "MemberExpression":
        if (role === "asked") return isMethodOf(node, result) ? engineValue(undefined) : result
        if (result === undefined || result.type === "UndefinedValue") {
          throw missingRead(node, inspected, { ...options, isCalled: role === "called" })
        }
        if (result.type === "FunctionValue" && role !== "called") {
          if (node.type === "MemberExpression") throw missingRead(node, inspected, { ...options, isCalled: false })
          throw new TemplateFailure("can't be rendered: it names a function without calling it")
        }
        break
      case "FilterExpression":
        if (result === undefined) {
          if (role === "asked") return engineValue(undefined)
          throw new TemplateFailure(`reads what \`${filterName(node)}\` finds in an empty list`)
        }
        if (entriesOf(result).some(({ type }) => type === "UndefinedValue")) {
          throw new TemplateFailure(`reads an attribute that not all entries have, with \`${filterName(node)}\``)
        }
        break
      default:
    }
    if (result !== undefined) checkRole(result, role)
    return result
  }
}

/** Returns whether a member is a method of the object. `item.items` should be the column, so the method counts as missing. */
function isMethodOf(node: SyntaxNode, result: EngineValue | undefined): boolean {
  return node.type === "MemberExpression" && result?.type === "FunctionValue"
}

function checkRole(result: EngineValue, role: NodeRole | undefined): void {
  if (role === "added" && isContainer(result)) throw unreadable("`~`")
  if (role === "joined" && entriesOf(result).some(isContainer)) throw unreadable("`join`")
}

function unreadable(what: string): TemplateFailure {
  return new TemplateFailure(
    `can't be rendered: ${what} joins texts, but not lists or objects; write them with \`tojson\``,
  )
}

function isContainer({ type }: EngineValue): boolean {
  return ["ArrayValue", "TupleValue", "ObjectValue", "NamespaceValue"].includes(type)
}

function entriesOf({ value }: EngineValue): readonly EngineValue[] {
  return Array.isArray(value) ? (value as readonly EngineValue[]) : []
}
