import { AssayError, type ErrorCode } from "@assay/schemas"
import type { JobPlan } from "../plan/task-plan.ts"
import { tinyPlan, tinySample, type TinyTask } from "./tiny-plan.ts"

export interface TinyTarget {
  /** The rows that it was called for, in order. */
  readonly asked: number[]
  /** The rows that fail. */
  readonly fails: Set<number>
  plan(over?: TinyTask): JobPlan
}

/** Creates a target that records the rows that it is called for. */
export function createTinyTarget(failing: Iterable<number> = [], code: ErrorCode = "request_timeout"): TinyTarget {
  const asked: number[] = []
  const fails = new Set(failing)
  const call = async (item: Readonly<Record<string, unknown>>) => {
    const row = Number(String(item["question"]).slice(9))
    asked.push(row)
    await Promise.resolve()
    if (fails.has(row)) throw new AssayError(code, `Row ${row} failed.`)
    return tinySample("right")
  }
  const plan = (over: TinyTask = {}) => tinyPlan({ ask: { kind: "call", call }, ...over })
  return { asked, fails, plan }
}
