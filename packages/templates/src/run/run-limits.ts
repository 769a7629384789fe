import { exactOf } from "../engine/exact-engine-value.ts"
import type { EngineValue } from "../engine/template-engine.ts"
import { TemplateFailure } from "../faults/template-fault.ts"
import type { RunCost } from "./run-costs.ts"
import type { NodeRole } from "../syntax/node-roles.ts"
import type { SyntaxNode } from "../syntax/syntax-node.ts"

const MAX_STEPS = 1_000_000
/** What a turn of a loop costs, measured in nodes. */
const STEPS_TO_ITERATE = 5
/** What goes through a value costs a step for so many characters, entries, or parts of all that is in it. */
const CHARACTERS_PER_STEP = 100
const ENTRIES_PER_STEP = 2
const PARTS_PER_STEP = 10
const STEPS_TO_SORT = 4
const MAX_WEIGHT = 4 * 1024 * 1024

/** The steps that are left to a run, or to several that share them. */
export interface StepBudget {
  left: number
}

/** A budget of a million steps. Templates that are rendered one after another without a pause share one. */
export function createStepBudget(): StepBudget {
  return { left: MAX_STEPS }
}

interface RunLimits {
  /** @throws TemplateFailure when the run has taken too many steps, or makes something too large */
  readonly check: (
    result: EngineValue | undefined,
    node: SyntaxNode | undefined,
    role?: NodeRole,
    cost?: RunCost,
  ) => void
}

/**
 * Ends a run when its budget is spent: evaluated nodes cost a step each, and operations cost steps for the size of what they
 * go through. Also ends it when a node makes a text, or a list or an object with all that is in it, of more than 4 Mi
 * characters and entries. What holds the same list twice counts it twice, as it would be written out.
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
    // What a namespace holds can change.
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
      // The engine goes through a list whether or not there is anything in the body of the loop.
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
