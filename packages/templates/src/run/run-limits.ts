import { exactOf } from "../engine/convert-values.ts"
import type { EngineValue } from "../engine/template-engine.ts"
import { TemplateFailure } from "../faults/template-fault.ts"
import { type NodeRole } from "../syntax/node-roles.ts"
import { filterName } from "../syntax/node-names.ts"
import { type SyntaxNode, childrenOf, propertyOf } from "../syntax/syntax-node.ts"

const MAX_STEPS = 1_000_000
/** The steps that one iteration of a loop takes. */
const STEPS_TO_ITERATE = 5
/** The size of a value that an operation goes through in one step: characters, entries, or parts at all depths. */
const CHARACTERS_PER_STEP = 100
const ENTRIES_PER_STEP = 2
const PARTS_PER_STEP = 10
const STEPS_TO_SORT = 4
const MAX_WEIGHT = 4 * 1024 * 1024

/** The remaining steps of one run, or of several runs that share them. */
export interface StepBudget {
  left: number
}

/** Creates a budget of a million steps. Templates that are rendered one after another without a pause share one budget. */
export function createStepBudget(): StepBudget {
  return { left: MAX_STEPS }
}

interface RunLimits {
  /** @throws TemplateFailure if the run has taken too many steps, or produces a value that is too large */
  readonly check: (
    result: EngineValue | undefined,
    node: SyntaxNode | undefined,
    role?: NodeRole,
    cost?: RunCost,
  ) => void
}

/**
 * Creates limits that end a run when its budget is used up. Each evaluated node takes one step, and operations take steps for
 * the size of the values that they go through. A run also ends when a node produces a text, list or object of more than
 * 4,194,304 characters and entries in total. A list that occurs twice in a value counts twice, as it would be written twice.
 */
export function createRunLimits(budget: StepBudget = createStepBudget()): RunLimits {
  const weights = new WeakMap<EngineValue, number>()

  function weightOf(value: EngineValue): number {
    if (typeof value.value === "string") return value.value.length + 1
    if (typeof value.value !== "object" || value.value === null || exactOf(value.value) !== undefined) return 1
    const known = weights.get(value)
    if (known !== undefined) return known
    const entries = value.value as readonly EngineValue[] | ReadonlyMap<string, EngineValue>
    let weight = 1
    for (const entry of entries.values()) weight += weightOf(entry)
    // The content of a namespace can change.
    if (value.type !== "NamespaceValue") weights.set(value, weight)
    return weight
  }

  function stepsThrough(result: EngineValue, cost: RunCost): number {
    const { value } = result
    if (typeof value === "string") return value.length / CHARACTERS_PER_STEP
    if (cost === "deep") return weightOf(result) / PARTS_PER_STEP
    const entries = Array.isArray(value) ? value.length : value instanceof Map ? value.size : 0
    return cost === "sorted" ? entries * STEPS_TO_SORT : entries / ENTRIES_PER_STEP
  }

  return {
    check(result, node, role, cost) {
      // The engine goes through a list even if the body of the loop is empty.
      if (role === "iterated" && Array.isArray(result?.value)) budget.left -= STEPS_TO_ITERATE * result.value.length
      if (cost !== undefined && result !== undefined) budget.left -= stepsThrough(result, cost)
      if (--budget.left < 0) throw new TemplateFailure(`takes more than ${MAX_STEPS} steps to render`)
      if (result === undefined || node?.type === "Identifier" || node?.type === "MemberExpression") return
      if (weightOf(result) > MAX_WEIGHT) {
        throw new TemplateFailure(`makes a text or a list of more than ${MAX_WEIGHT} characters and entries`)
      }
    },
  }
}

/** The part of a value that an operation goes through: characters or entries (`shallow`), all depths (`deep`), or entries many times (`sorted`). */
export type RunCost = "shallow" | "deep" | "sorted"

const FILTER_COSTS: ReadonlyMap<string | undefined, RunCost> = new Map([
  ["tojson", "deep"],
  ["sort", "sorted"],
  ["dictsort", "sorted"],
])

/** Operations that go through their operands and results. */
const OPERATIONS = new Set(["FilterExpression", "FilterStatement", "CallExpression", "BinaryExpression"])

/** Returns the nodes whose value an operation goes through or produces. The size of these values takes steps. */
export function runCosts(program: SyntaxNode): ReadonlyMap<SyntaxNode, RunCost> {
  const costs = new Map<SyntaxNode, RunCost>()

  function visit(node: SyntaxNode): void {
    if (OPERATIONS.has(node.type) || isSlice(node)) {
      costs.set(node, "shallow")
      for (const operand of operandsOf(node)) costs.set(operand, FILTER_COSTS.get(filterName(node)) ?? "shallow")
    }
    for (const child of childrenOf(node)) visit(child)
  }

  visit(program)
  return costs
}

function operandsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const [first, ...rest] = childrenOf(node)
  if (first === undefined) return []
  // A method goes through its object.
  if (node.type === "CallExpression" && first.type === "MemberExpression") {
    return [propertyOf(first, "object") as SyntaxNode, ...rest]
  }
  return [first, ...rest]
}

function isSlice(node: SyntaxNode): boolean {
  const property = propertyOf(node, "property")
  return (
    node.type === "MemberExpression" &&
    typeof property === "object" &&
    property !== null &&
    "type" in property &&
    property.type === "SliceExpression"
  )
}
