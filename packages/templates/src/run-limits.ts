import { exactOf } from "./exact-engine-value.ts"
import type { NodeRole } from "./node-roles.ts"
import type { RunCost } from "./run-costs.ts"
import type { EngineValue } from "./template-engine.ts"
import { TemplateFailure } from "./template-failure.ts"
import type { SyntaxNode } from "./syntax-node.ts"

const MOST_STEPS = 1_000_000
/** What a turn of a loop costs, measured in nodes. */
const STEPS_TO_ITERATE = 5
/** What goes through a value costs a step for so many characters, entries, or parts of all that is in it. */
const CHARACTERS_PER_STEP = 100
const ENTRIES_PER_STEP = 2
const PARTS_PER_STEP = 10
const MOST_WEIGHT = 4 * 1024 * 1024

export interface RunLimits {
  /** @throws TemplateFailure when the run has taken too many steps, or makes something too large */
  readonly check: (
    result: EngineValue | undefined,
    node: SyntaxNode | undefined,
    role?: NodeRole,
    cost?: RunCost,
  ) => void
}

/**
 * Ends a run after a million steps: evaluated nodes, and the size of what operations go through; or when a node makes a text, or a list or an object with all that is in it, of
 * more than 4 Mi characters and entries. What holds the same list twice counts it twice, as it would be written out.
 */
export function createRunLimits(): RunLimits {
  const weights = new WeakMap<EngineValue, number>()
  let steps = 0

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
    if (Array.isArray(value)) return value.length / ENTRIES_PER_STEP
    return value instanceof Map ? value.size / ENTRIES_PER_STEP : 0
  }

  return {
    check(result, node, role, cost) {
      // The engine goes through a list whether or not there is anything in the body of the loop.
      if (role === "iterated" && Array.isArray(result?.value)) steps += STEPS_TO_ITERATE * result.value.length
      if (cost !== undefined && result !== undefined) steps += stepsThrough(result, cost)
      if (++steps > MOST_STEPS) throw new TemplateFailure(`takes more than ${MOST_STEPS} steps to render`)
      if (result === undefined || node?.type === "Identifier" || node?.type === "MemberExpression") return
      if (weightOf(result) > MOST_WEIGHT) {
        throw new TemplateFailure(`makes a text or a list of more than ${MOST_WEIGHT} characters and entries`)
      }
    },
  }
}
