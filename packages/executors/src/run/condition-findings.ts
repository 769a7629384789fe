import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import type { createConditionFinder } from "@assay/results"

export type ConditionFinder = ReturnType<typeof createConditionFinder>
/** Events that concern rows and are in none of them. Processes write them for each other. */
export type ConditionFindings = ReturnType<ConditionFinder["findings"]>

const Findings = Type.Object({ errors: Type.Array(Type.Object({})), retries: Type.Array(Type.Object({})) })

/** Returns whether a value that another process has written is findings. */
export function isConditionFindings(value: unknown): value is ConditionFindings {
  return Value.Check(Findings, value)
}
