import { engineValue, type EngineValue } from "../engine/template-engine.ts"
import { TemplateFailure } from "../faults/template-fault.ts"
import { filterName } from "../syntax/node-names.ts"
import type { NodeRole } from "../syntax/node-roles.ts"
import type { SyntaxNode } from "../syntax/syntax-node.ts"
import { missingRead, type MissingReadOptions } from "./missing-read.ts"
import type { RunCost } from "./run-costs.ts"
import { createRunLimits, type StepBudget } from "./run-limits.ts"
import type { Inspect } from "./run-program.ts"

interface StrictInspectOptions extends MissingReadOptions {
  readonly roles: ReadonlyMap<SyntaxNode, NodeRole>
  readonly costs: ReadonlyMap<SyntaxNode, RunCost>
  /** Default: a budget of its own. */
  readonly steps?: StepBudget | undefined
}

/**
 * Fails a run where a template reads what is not there without asking first, as Jinja's `StrictUndefined` does where it is
 * used; and where the engine would write what nobody wants to read, such as `[object Map]`.
 */
export function createStrictInspect({ roles, costs, steps, ...options }: StrictInspectOptions): Inspect {
  const limits = createRunLimits(steps)
  return (result, place) => {
    const { node } = place
    const role = node === undefined ? undefined : roles.get(node)
    limits.check(result, node, role, node === undefined ? undefined : costs.get(node))
    if (node === undefined) return result
    switch (node.type) {
      case "Identifier":
      case "MemberExpression":
        if (role === "asked") return isMethodOf(node, result) ? engineValue(undefined) : result
        if (result === undefined || result.type === "UndefinedValue") {
          throw missingRead(node, place, { ...options, isCalled: role === "called" })
        }
        if (result.type === "FunctionValue" && role !== "called") {
          if (node.type === "MemberExpression") throw missingRead(node, place, { ...options, isCalled: false })
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

/** Methods of objects stand where a property could be missed: `item.items` is the column, or is not there. */
function isMethodOf(node: SyntaxNode, result: EngineValue | undefined): boolean {
  return node.type === "MemberExpression" && result?.type === "FunctionValue"
}

function checkRole(result: EngineValue, role: NodeRole | undefined): void {
  if (role === "added" && isContainer(result)) throw unreadable("`~`")
  if (role === "joined" && entriesOf(result).some(isContainer)) throw unreadable("`join`")
}

function unreadable(what: string): TemplateFailure {
  return new TemplateFailure(
    `can't be rendered: ${what} puts texts together, no lists or objects; write them with \`tojson\``,
  )
}

function isContainer({ type }: EngineValue): boolean {
  return ["ArrayValue", "TupleValue", "ObjectValue", "NamespaceValue"].includes(type)
}

function entriesOf({ value }: EngineValue): readonly EngineValue[] {
  return Array.isArray(value) ? (value as readonly EngineValue[]) : []
}
