import type { RunPlanOptions } from "@assay/evaluation"
import { tokenSums } from "@assay/results"
import type { ShardProgress } from "@assay/executors"

/** The part of a budget that other shards have used. */
type SpentElsewhere = ReturnType<NonNullable<RunPlanOptions["spentElsewhere"]>>

const NOTHING_SPENT: SpentElsewhere = { asked: 0, tokens: tokenSums.none }

/** Returns what all shards but one have used. */
export function spentElsewhere(all: ReadonlyMap<number, ShardProgress>, own: number): SpentElsewhere {
  let sum = NOTHING_SPENT
  for (const [index, { asked, tokens }] of all) {
    if (index !== own) sum = { asked: sum.asked + asked, tokens: tokenSums.add(sum.tokens, tokens) }
  }
  return sum
}

/** Returns how many rows of all shards but one have failed, and are not asked again. */
export function failedElsewhere(all: ReadonlyMap<number, ShardProgress>, own: number): number {
  let sum = 0
  for (const [index, { failed, standing = failed }] of all) if (index !== own) sum += standing
  return sum
}
