import { exactOf } from "../engine/exact-engine-value.ts"
import type { EngineValue } from "../engine/template-engine.ts"
import { TemplateFailure } from "../faults/template-fault.ts"
import type { RunCost } from "./run-costs.ts"
import type { NodeRole } from "../syntax/node-roles.ts"
import type { SyntaxNode } from "../syntax/syntax-node.ts"

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
